import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import type { Call, Ground } from './operation.js'
import type { Chance } from './seeded-random.js'
import { definedParts, keyParts, PLAIN, randomItem, randomKey, type TableShape } from './tables.js'
import { keyValue, numberText, scalar, text, value } from './values.js'

/** Creates a PartiQL statement on one item with parameters as values. */
export function executeStatement({ chance, tables }: Ground): Call {
  const table = chance.pick(tables)
  const given = new Given(chance, table)
  const Statement = chance.way(
    [3, () => select(given)],
    [2, () => insert(given)],
    [3, () => update(given)],
    [1, () => `DELETE FROM "${table.name}" WHERE ${given.key()}`],
  )
  return { operation: 'executeStatement', request: { Statement, Parameters: given.parameters } }
}

/** The context of a statement. Texts must be created from left to right, in the order of their parameters. */
class Given {
  readonly parameters: AttributeValue[] = []

  constructor(
    readonly chance: Chance,
    readonly table: TableShape,
  ) {}

  mark(parameter: AttributeValue): string {
    this.parameters.push(parameter)
    return '?'
  }

  key(): string {
    const key = randomKey(this.chance, this.table)
    const parts = keyParts(this.table).map(({ name }) => `${name} = ${this.mark(key[name]!)}`)
    return parts.join(' AND ')
  }

  /** Returns an attribute that needs no quotes. */
  name(): string {
    return this.chance.pick(PLAIN.slice(0, -1))
  }
}

function select(given: Given): string {
  const { chance, table } = given
  const names = chance.happens(0.5) ? '*' : given.name()
  const condition = () => (chance.happens(0.3) ? ` AND ${given.name()} = ${given.mark(scalar(chance))}` : '')
  return `SELECT ${names} FROM "${table.name}" WHERE ${given.key()}${condition()}`
}

function insert(given: Given): string {
  const item = Object.entries(randomItem(given.chance, given.table))
  const members = item.map(([name, member]) => `'${name}': ${given.mark(member)}`)
  return `INSERT INTO "${given.table.name}" VALUE {${members.join(', ')}}`
}

function update(given: Given): string {
  const { chance, table } = given
  const own = new Set(keyParts(table).map(({ name }) => name))
  const [indexed] = chance.shuffled(definedParts(table).filter(({ name }) => !own.has(name)))
  const change = () =>
    chance.way(
      [3, () => `SET ${given.name()} = ${given.mark(value(chance))}`],
      [1, () => `SET a = a + ${given.mark({ N: numberText(chance) })}`],
      [1, () => `REMOVE ${given.name()}`],
      [1, () => (indexed ? `SET ${indexed.name} = ${given.mark(keyValue(chance, indexed.type, 4))}` : 'REMOVE a')],
    )
  const condition = () => (chance.happens(0.3) ? ` AND b = ${given.mark({ S: text(chance) })}` : '')
  return `UPDATE "${table.name}" ${change()} WHERE ${given.key()}${condition()}`
}
