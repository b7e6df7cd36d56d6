import { type Attribute, attribute } from '../attribute.js'
import { declaredOf } from '../attributes/validated.js'
import type { DeclaredAttribute, DeclaredAttributes, Renewal } from '../declared.js'
import { mapValues } from '../map-values.js'
import { refuse } from '../refusal.js'
import type { Attributes, Flat, Row } from '../types/row.js'
import { attempt, checkFunctions } from './attempt.js'
import { ordered } from './ordered.js'

/**
 * An attribute that is made of others of its node or edge whenever one of them is written:
 * `computed(string(), { title }, row => row.title.toLowerCase())`. It is stored, so that paths, unique values, counters
 * and conditions can use it, and never given. An update that gives only some of what it is made of reads the rest first.
 */
export function computed<T, A extends Attributes, Given, F extends 'optional' | 'mapped' = never>(
  as: Attribute<T, F, Given>,
  from: A,
  make: (row: Flat<Row<A>>) => 'optional' extends F ? Given | undefined : Given,
): Attribute<T, F | 'derived', Given> {
  checkFunctions('computed()', { make }, 'make')
  return attribute({ ...declaredOf(as, 'computed()'), renewed: computing(from, make as (row: object) => unknown) })
}

function computing(from: Attributes, make: (row: object) => unknown): Renewal {
  const sources: DeclaredAttributes = mapValues(from, (schema, name) => declaredOf(schema, `'${name}' of computed()`))
  const names = Object.keys(sources)
  const value: NonNullable<Renewal['value']> = (type, name, values) => {
    const attribute = type.attributes[name]!
    const path = `${type.name}.${name}`
    // Bytes are copied: a function that changes what it is given changes nothing that is stored.
    const row = mapValues(
      sources,
      ({ decode }, source) =>
        values[source] && decode(ordered(structuredClone(values[source])), `${type.name}.${source}`),
    )
    const made = attempt(() => make(row), 'value.check', path)
    return made === undefined && attribute.optional ? undefined : attribute.encode(made, path)
  }
  return {
    check({ name: type, attributes, id = [], key = [] }, name) {
      const { immutable, fallback, derived } = attributes[name]!
      const wrong = (fault: unknown, text: string) => refuse(type, fault, 'attribute.computed', name, text)
      wrong(names.length === 0, `say what '${name}' is computed from`)
      wrong([...id, ...key].includes(name), `'${name}' is computed, so it cannot tell which one it is`)
      wrong(immutable || fallback, `'${name}' is computed, so it can be neither immutable nor have a default`)
      wrong(derived, `'${name}' is computed, so it cannot be kept by edges`)
      for (const source of names) {
        const attribute = attributes[source]
        wrong(
          !attribute || !isAlike(attribute, sources[source]!) || attribute.derived || attribute.renewed,
          `'${name}' is computed from '${source}', which has to be an attribute that is given, as it is declared here`,
        )
        wrong(
          attribute!.optional && !sources[source]!.optional,
          `'${name}' is computed from '${source}', which may be missing: declare it optional() there too`,
        )
      }
    },
    of: names,
    value,
    patched(type, name, parts) {
      if (!names.some(source => parts[source])) return undefined
      if (!names.every(source => /^(set|remove)$/.test(parts[source]?.kind ?? ''))) return { kind: 'within', parts: {} }
      const given = mapValues(parts, part => part.value)
      const made = value(type, name, given)
      return made ? { kind: 'set', value: made } : { kind: 'remove' }
    },
  }
}

/** Whether two declarations read the same of what is stored. */
function isAlike(one: DeclaredAttribute, other: DeclaredAttribute): boolean {
  const inside = ({ element, members, mapped }: DeclaredAttribute) => ({ element, mapped: mapped?.of, ...members })
  const parts = inside(other)
  return (
    one.kind === other.kind &&
    Object.entries(inside(one)).every(([name, part]) => {
      const its = parts[name as 'element']
      return part === its || (part && its && isAlike(part, its))
    })
  )
}
