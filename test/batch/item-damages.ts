import type { Item } from '../../src/dynamodb/index.js'

/** The item with each of its attributes in turn changed or removed. */
export function damagesOf(item: Item, keys: readonly string[]): Item[] {
  const names = Object.keys(item).filter(name => !keys.includes(name) && !/^_(counted|counts|life|etag)$/.test(name))
  return names.flatMap(name => {
    const { [name]: value, ...without } = item
    const changed =
      value!.S !== undefined ? { S: `${value!.S}~` } : value!.N ? { N: `${Number(value!.N) + 5}` } : { M: {} }
    return [without, { ...item, [name]: changed }]
  })
}
