import { CAPACITY_UNITS_MAX, NAME_CHARACTERS_MAX } from '../../dynamodb/limits.js'
import type { IndexDesign, ProvisionedCapacity, TableDesign } from '../../layout/design.js'
import { globalIndexesOf, localIndexesOf } from '../table-definition.js'
import type { Finding } from './findings.js'

/** Finds configured keys, projections and capacities that DynamoDB rejects. */
export function findRejectedKeys(design: TableDesign): Finding[] {
  const { keys, indexes, capacity } = design
  const tableKeys = Object.values(keys)
  return [
    ...findDuplicateNames(tableKeys, 'The key of the table'),
    ...findInvalidCapacity(capacity, 'The table'),
    ...indexes.flatMap(({ name, partition, sort, project }) => [
      ...findDuplicateNames([...partition, ...sort], `The key of the index ${name}`, name),
      ...findDuplicateNames(typeof project === 'string' ? [] : project, `The projection of the index ${name}`, name),
    ]),
    ...localIndexesOf(design).flatMap(index => findInvalidLocalKey(design, index)),
    ...(capacity === 'on-demand' ? [] : globalIndexesOf(design)).flatMap(index =>
      findInvalidCapacity(index.capacity, `The index ${index.name}`, index.name),
    ),
    ...findInvalidAttributeNames(design),
    ...findExpiryKeys(design),
  ]
}

const toRejection = (code: Finding['code'], message: string, index?: string): Finding => ({
  code,
  rejected: true,
  message,
  ...(index !== undefined && { index }),
})

function findDuplicateNames(names: readonly string[], subject: string, index?: string): Finding[] {
  const name = names.find((candidate, at) => names.indexOf(candidate) < at)
  if (name === undefined) return []
  return [
    toRejection('key.twice', `${subject} has ${name} twice, and DynamoDB takes each attribute once: drop one.`, index),
  ]
}

/** A local index must have the partition key of the table and a sort key. */
function findInvalidLocalKey({ keys }: TableDesign, { name, partition, sort }: IndexDesign): Finding[] {
  if (keys.sort === undefined) {
    const message = `The table has no sort key, without which DynamoDB makes no local index: say of ${name} that it is global.`
    return [toRejection('index.local', message, name)]
  }
  if (partition[0] === keys.partition && sort.length > 0) return []
  const message = `The key of the local index ${name} is ${[...partition, ...sort].join(' and ')}, and DynamoDB takes the table's partition key and a sort key: give ['${keys.partition}', …], or say that it is global.`
  return [toRejection('index.local', message, name)]
}

function findInvalidCapacity(
  capacity: TableDesign['capacity'] | undefined,
  subject: string,
  index?: string,
): Finding[] {
  if (capacity === 'on-demand' || capacity === undefined) return []
  const { read, write } = Object(capacity) as Partial<ProvisionedCapacity>
  const isCapacity = (units: unknown) =>
    Number.isInteger(units) && Number(units) > 0 && Number(units) <= CAPACITY_UNITS_MAX
  if (isCapacity(read) && isCapacity(write)) return []
  const message = `${subject} is to have ${read} RCU and ${write} WCU, and DynamoDB takes whole numbers from 1: give { read, write }, or 'on-demand' for the table.`
  return [toRejection('capacity.units', message, index)]
}

/** Attributes outside keys and projections may have names of up to 64 KB. */
function findInvalidAttributeNames({ attributes, indexes }: TableDesign): Finding[] {
  const included = indexes.flatMap(({ project }) => (typeof project === 'string' ? [] : project))
  const invalidNames = [...new Set([...Object.keys(attributes), ...included])].filter(
    name => name === '' || name.length > NAME_CHARACTERS_MAX,
  )
  return invalidNames.map(name => {
    const message = `'${name.slice(0, 20)}${name === '' ? '' : '…'}' is in a key or a projection, where DynamoDB takes names of 1 to ${NAME_CHARACTERS_MAX} characters; give it another name.`
    return toRejection('attribute.name', message)
  })
}

/** The expiry attribute is a number, but a composed key is a string. */
function findExpiryKeys({ attributes, expires }: TableDesign): Finding[] {
  if (expires === undefined || !Object.hasOwn(attributes, expires)) return []
  const message = `${expires} is in a key, as a text, and holds when an item expires, a number: DynamoDB refuses every item that does. Give that key, or 'expires' of the table, another name.`
  return [toRejection('key.expires', message)]
}
