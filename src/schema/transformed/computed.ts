import { type Attribute, createAttribute } from '../attribute.js'
import { declarationOf } from '../attributes/validated.js'
import { rejectDeclarationIf } from '../checks/assertions.js'
import type { DeclaredAttribute, DeclaredAttributes, Recomputation } from '../declarations.js'
import { mapValues } from '../map-values.js'
import type { AttributeRow, Attributes, Simplify } from '../types/row.js'
import { toCanonicalValue } from './canonical-value.js'
import { callUserFunction, checkFunctions } from './user-functions.js'

/**
 * Declares an attribute that is computed from other attributes of its node or edge whenever one of them is written. It
 * is stored, so paths, unique values, counters and conditions can use it. Writes never give it. An update that gives
 * only some of its sources reads the others first.
 *
 * @param stored - the attribute that stores the result
 * @param sources - the attributes that the result depends on, as the type declares them
 * @param compute - returns the value for a row of the sources; synchronous
 * @returns a derived attribute
 * @throws {call.argument} if `compute` is not a function
 *
 * @example
 * ```ts
 * import { computed, node, string } from 'edgewise'
 *
 * const title = string()
 * const sortTitle = computed(string(), { title }, row => row.title.toLowerCase())
 * const book = node('book', { isbn: string(), title, sortTitle }, { id: 'isbn' })
 * ```
 */
export function computed<T, A extends Attributes, Input, F extends 'optional' | 'mapped' = never>(
  stored: Attribute<T, F, Input>,
  sources: A,
  compute: (row: Simplify<AttributeRow<A>>) => 'optional' extends F ? Input | undefined : Input,
): Attribute<T, F | 'derived', Input> {
  checkFunctions('computed()', { compute }, 'compute')
  return createAttribute({
    ...declarationOf(stored, 'computed()'),
    recomputation: recomputationOf(sources, compute as (row: object) => unknown),
  })
}

/** The kinds of changes that determine the new value of a source without reading the row. */
const WHOLE_CHANGES: ReadonlySet<string | undefined> = new Set(['set', 'remove'])

function recomputationOf(sourceSchemas: Attributes, computeFromRow: (row: object) => unknown): Recomputation {
  const sources: DeclaredAttributes = mapValues(sourceSchemas, (schema, name) =>
    declarationOf(schema, `'${name}' of computed()`),
  )
  const names = Object.keys(sources)
  const compute: NonNullable<Recomputation['compute']> = (type, name, values) => {
    const attribute = type.attributes[name]!
    const path = `${type.name}.${name}`
    // Values are cloned, so that a function that mutates its argument does not change stored values.
    const row = mapValues(
      sources,
      ({ decode }, source) =>
        values[source] && decode(toCanonicalValue(structuredClone(values[source])), `${type.name}.${source}`),
    )
    const computedValue = callUserFunction(() => computeFromRow(row), 'value.check', path)
    return computedValue === undefined && attribute.optional ? undefined : attribute.encode(computedValue, path)
  }
  return {
    checkDeclaration({ name: type, attributes, id = [], key = [] }, name) {
      const { immutable, fallback, derived } = attributes[name]!
      const rejectIf = (fault: unknown, text: string) =>
        rejectDeclarationIf(type, fault, 'attribute.computed', name, text)
      rejectIf(names.length === 0, `'${name}' is computed from nothing; give at least one source.`)
      rejectIf(
        [...id, ...key].includes(name),
        `'${name}' is computed, so it cannot be part of an id or key; use another attribute.`,
      )
      rejectIf(
        immutable || fallback,
        `'${name}' is computed, so it can be neither immutable nor have a default; remove the modifier.`,
      )
      rejectIf(derived, `'${name}' is computed, so edges cannot maintain it; compute another kind of attribute.`)
      for (const source of names) {
        const attribute = attributes[source]
        rejectIf(
          !attribute || !isAlike(attribute, sources[source]!) || attribute.derived || attribute.recomputation,
          `'${name}' is computed from '${source}', which its type does not have as a plain attribute of this form; declare it the same there.`,
        )
        rejectIf(
          attribute!.optional && !sources[source]!.optional,
          `'${name}' is computed from '${source}', which may be missing; declare it optional() in the sources too.`,
        )
      }
    },
    sources: names,
    compute,
    changeForPatch(type, name, parts) {
      if (!names.some(source => parts[source])) return undefined
      if (!names.every(source => WHOLE_CHANGES.has(parts[source]?.kind))) return { kind: 'within', parts: {} }
      const values = mapValues(parts, part => part.value)
      const computedValue = compute(type, name, values)
      return computedValue ? { kind: 'set', value: computedValue } : { kind: 'remove' }
    },
  }
}

/** Whether two declarations read a stored value in the same way. */
function isAlike(one: DeclaredAttribute, other: DeclaredAttribute): boolean {
  const nestedOf = ({ element, members, mapped }: DeclaredAttribute) => ({ element, mapped: mapped?.inner, ...members })
  const parts = nestedOf(other)
  return (
    one.kind === other.kind &&
    Object.entries(nestedOf(one)).every(([name, part]) => {
      const otherPart = parts[name as 'element']
      return part === otherPart || (part && otherPart && isAlike(part, otherPart))
    })
  )
}
