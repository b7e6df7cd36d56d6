import { disk } from '../../../../src/engine/index.js'

/** Opens a folder, reads and writes it, and prints the result. */
const [, , path, how] = process.argv
// The root user can write everywhere.
if (how === 'as nobody' && process.getuid?.() === 0) process.setuid!(65_534)
const TableName = 'kept'
try {
  const store = disk(path!)
  const { Count } = await store.scan({ TableName })
  await store.putItem({ TableName, Item: { pk: { S: 'new' } } })
  process.stdout.write(`${Count} items, and one more\n`)
  await store.close()
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
}
