import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { DeclaredType } from '../../layout/slots.js'
import { identityMembers, membersByName, type RowMember } from '../../plan/members.js'
import type { DeclaredAttribute } from '../../schema/declarations.js'
import { columnsByName, columnsOf, columnValueOf } from '../rows/columns.js'
import type { ItemRow } from '../rows/item-row.js'
import { toCellText, toJsonValue } from '../rows/json-values.js'
import { csvLine, type RowTexts } from './row-texts.js'

/** The query language whose loader reads the files. */
export type NeptuneLanguage = 'gremlin' | 'opencypher'

/** The columns that Neptune reserves. */
const ID_COLUMNS = {
  gremlin: { node: ['~id', '~label'], edge: ['~id', '~from', '~to', '~label'] },
  opencypher: { node: [':ID', ':LABEL'], edge: [':ID', ':START_ID', ':END_ID', ':TYPE'] },
} as const

/**
 * Creates files for Neptune's bulk loader. The ids of nodes and edges contain their type and their own id.
 *
 * @returns The text format of the rows, for `dump()`.
 * @example
 * ```ts
 * import { neptuneTexts } from 'edgewise/jobs'
 *
 * const { header, line } = neptuneTexts('gremlin')
 * ```
 */
export function neptuneTexts(language: NeptuneLanguage): RowTexts {
  return {
    header: type => {
      const properties = propertiesOf(type).map(
        member => `${member.slot.replaceAll(':', '\\:')}:${neptuneTypeOf(type, member, language)}`,
      )
      return csvLine([...ID_COLUMNS[language][type.kind], ...properties])
    },
    line({ type, tenant, row }) {
      const ids =
        type.kind === 'node'
          ? [neptuneIdOf(type, type.name, identityMembersOf(type), row, tenant), type.name]
          : [
              neptuneIdOf(type, type.name, identityMembersOf(type), row, tenant),
              ...type.ends.map(({ name, node }) =>
                neptuneIdOf(type, node.name, membersByName(type, name), row, tenant),
              ),
              type.name,
            ]
      const properties = propertiesOf(type).map(member => cellOf(type, member, row))
      return csvLine([...ids, ...properties])
    },
  }
}

/**
 * Creates files with edges from owned nodes to their owners, which the table stores only in keys.
 *
 * @example
 * ```ts
 * import { neptuneOwnerTexts } from 'edgewise/jobs'
 *
 * const texts = neptuneOwnerTexts('gremlin')
 * ```
 */
export function neptuneOwnerTexts(language: NeptuneLanguage): RowTexts {
  return {
    header: () => csvLine(ID_COLUMNS[language].edge),
    line({ type, tenant, row }) {
      const owner = type.kind === 'node' ? type.within : undefined
      if (!owner) return ''
      const own = (head: string) => neptuneIdOf(type, head, identityMembersOf(type), row, tenant)
      const to = neptuneIdOf(type, owner.name, membersByName(type, owner.name), row, tenant)
      return csvLine([own(`${type.name}.${owner.name}`), own(type.name), to, owner.name])
    },
  }
}

/** Returns the identifying members of a row, as far as the row has them. */
function identityMembersOf(type: DeclaredType): readonly RowMember[] {
  return identityMembers(type).map(({ slot }) => columnsByName(type).get(slot)!)
}

/** Ends of an edge are not written as its properties. */
function propertiesOf(type: DeclaredType): readonly RowMember[] {
  const ends = type.kind === 'edge' ? type.ends.map(({ name }) => name) : []
  return columnsOf(type).filter(({ segments }) => !ends.includes(segments[0]!))
}

/** Joins parts with `#`, and escapes `#` in a part as `$#`, so that ids are unique. */
function neptuneIdOf(
  type: DeclaredType,
  head: string,
  members: readonly RowMember[],
  row: ItemRow['row'],
  tenant: string | undefined,
): string {
  const parts = members.map(member => storedText(member.attribute.encode(columnValueOf(row, member), type.name)))
  return [...(tenant === undefined ? [] : [tenant]), head, ...parts]
    .map(part => part.replace(/[$#]/g, '$$$&'))
    .join('#')
}

/** Other values cannot be part of an id. */
function storedText({ S, N, BOOL }: AttributeValue): string {
  return S ?? N ?? String(BOOL)
}

const NEPTUNE_TYPES: Partial<Record<DeclaredAttribute['kind'], string>> = {
  integer: 'Long',
  number: 'Double',
  boolean: 'Bool',
  date: 'Date',
}

/** In Neptune, several values of a node's property form a set without order. Edges have no sets. */
const isSet = (type: DeclaredType, { attribute }: RowMember) => type.kind === 'node' && attribute.kind === 'set'

/** Numbers beyond Neptune's ranges are written as strings, and so are structured values, except the sets of a node. */
function neptuneTypeOf(type: DeclaredType, member: RowMember, language: NeptuneLanguage): string {
  const hasSeveralValues = isSet(type, member)
  const { attribute } = member
  const { kind } = hasSeveralValues ? attribute.element! : (attribute.mapped?.inner ?? attribute)
  const scalar = NEPTUNE_TYPES[kind] ?? 'String'
  const typeName = scalar === 'Date' && language === 'opencypher' ? 'DateTime' : scalar
  if (hasSeveralValues) return `${typeName}[]`
  // A node's property has several values by default, so declare it as single.
  return language === 'gremlin' && type.kind === 'node' ? `${typeName}(single)` : typeName
}

function cellOf(type: DeclaredType, member: RowMember, row: ItemRow['row']): string | undefined {
  const { attribute } = member
  const value = columnValueOf(row, member)
  if (value === undefined) return undefined
  if (!isSet(type, member)) return plainText(attribute, value)
  const texts = Array.from(value as Iterable<unknown>, element => plainText(attribute.element!, element))
  return texts.map(text => text.replaceAll(';', '\\;')).join(';')
}

function plainText(attribute: DeclaredAttribute, value: unknown): string {
  const { mapped } = attribute
  if (mapped) return plainText(mapped.inner, mapped.write(value))
  const text = toCellText(attribute, value)
  return attribute.kind === 'date' ? String(toJsonValue(attribute, value)).replace('.000Z', 'Z') : text
}
