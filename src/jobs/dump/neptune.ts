import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { DeclaredType } from '../../layout/slots.js'
import { identityMembers, type Member, membersNamed } from '../../plan/members.js'
import type { DeclaredAttribute } from '../../schema/declared.js'
import { columnsByName, columnsOf, valueAt } from '../rows/columns.js'
import type { ItemRow } from '../rows/item-row.js'
import { toPlain, toText } from '../rows/plain.js'
import { csvLine, type RowTexts } from './texts.js'

/** For whose loader the files are. */
export type NeptuneLanguage = 'gremlin' | 'opencypher'

/** The columns that are Neptune's own. */
const HEADS = {
  gremlin: { node: ['~id', '~label'], edge: ['~id', '~from', '~to', '~label'] },
  opencypher: { node: [':ID', ':LABEL'], edge: [':ID', ':START_ID', ':END_ID', ':TYPE'] },
} as const

/** Files that Neptune's bulk loader takes. Nodes and edges have ids made of their type and their own. */
export function neptuneTexts(language: NeptuneLanguage): RowTexts {
  return {
    header: type => {
      const properties = propertiesOf(type).map(
        member => `${member.slot.replaceAll(':', '\\:')}:${typeOf(type, member, language)}`,
      )
      return csvLine([...HEADS[language][type.kind], ...properties])
    },
    line({ type, tenant, row }) {
      const ids =
        type.kind === 'node'
          ? [idOf(type, type.name, identityOf(type), row, tenant), type.name]
          : [
              idOf(type, type.name, identityOf(type), row, tenant),
              ...type.ends.map(({ name, node }) => idOf(type, node.name, membersNamed(type, name), row, tenant)),
              type.name,
            ]
      const properties = propertiesOf(type).map(member => cellOf(type, member, row))
      return csvLine([...ids, ...properties])
    },
  }
}

/** Edges from owned nodes to their owners, which in the table lie in the keys alone. */
export function neptuneOwnerTexts(language: NeptuneLanguage): RowTexts {
  return {
    header: () => csvLine(HEADS[language].edge),
    line({ type, tenant, row }) {
      const owner = type.kind === 'node' ? type.within : undefined
      if (!owner) return ''
      const own = (head: string) => idOf(type, head, identityOf(type), row, tenant)
      const to = idOf(type, owner.name, membersNamed(type, owner.name), row, tenant)
      return csvLine([own(`${type.name}.${owner.name}`), own(type.name), to, owner.name])
    },
  }
}

/** The members of a row by which it is told, each where the row has it. */
function identityOf(type: DeclaredType): readonly Member[] {
  return identityMembers(type).map(({ slot }) => columnsByName(type).get(slot)!)
}

/** The ends of an edge are no properties of it. */
function propertiesOf(type: DeclaredType): readonly Member[] {
  const ends = type.kind === 'edge' ? type.ends.map(({ name }) => name) : []
  return columnsOf(type).filter(({ at }) => !ends.includes(at[0]!))
}

/** Parts joined by `#`, which stands in a part as `$#`, so that no two nodes have one id. */
function idOf(
  type: DeclaredType,
  head: string,
  members: readonly Member[],
  row: ItemRow['row'],
  tenant: string | undefined,
): string {
  const parts = members.map(member => storedText(member.attribute.encode(valueAt(row, member), type.name)))
  return [...(tenant === undefined ? [] : [tenant]), head, ...parts]
    .map(part => part.replace(/[$#]/g, '$$$&'))
    .join('#')
}

/** Nothing else can be a part of an id. */
function storedText({ S, N, BOOL }: AttributeValue): string {
  return S ?? N ?? String(BOOL)
}

const TYPES: Partial<Record<DeclaredAttribute['kind'], string>> = {
  integer: 'Long',
  number: 'Double',
  boolean: 'Bool',
  date: 'Date',
}

/** Several values of a property are a set to Neptune, without order; an edge has none such. */
const isSet = (type: DeclaredType, { attribute }: Member) => type.kind === 'node' && attribute.kind === 'set'

/** Numbers beyond those of Neptune are texts, and so is what has parts, but for the sets of a node. */
function typeOf(type: DeclaredType, member: Member, language: NeptuneLanguage): string {
  const several = isSet(type, member)
  const { attribute } = member
  const { kind } = several ? attribute.element! : (attribute.mapped?.of ?? attribute)
  const scalar = TYPES[kind] ?? 'String'
  const named = scalar === 'Date' && language === 'opencypher' ? 'DateTime' : scalar
  if (several) return `${named}[]`
  // A property of a node has several values unless it is said to have one.
  return language === 'gremlin' && type.kind === 'node' ? `${named}(single)` : named
}

function cellOf(type: DeclaredType, member: Member, row: ItemRow['row']): string | undefined {
  const { attribute } = member
  const value = valueAt(row, member)
  if (value === undefined) return undefined
  if (!isSet(type, member)) return plainText(attribute, value)
  const texts = Array.from(value as Iterable<unknown>, each => plainText(attribute.element!, each))
  return texts.map(text => text.replaceAll(';', '\\;')).join(';')
}

function plainText(attribute: DeclaredAttribute, value: unknown): string {
  const { mapped } = attribute
  if (mapped) return plainText(mapped.of, mapped.write(value))
  const text = toText(attribute, value)
  return attribute.kind === 'date' ? String(toPlain(attribute, value)).replace('.000Z', 'Z') : text
}
