import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { disk } from '../../../src/engine/index.js'
import { temporaryFolder } from './folder.js'

async function used(): Promise<string> {
  const path = temporaryFolder()
  const store = disk(path)
  await store.createTable({
    TableName: 'kept',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await store.close()
  return path
}

describe('what cannot be opened is told, and left as it is', () => {
  it('data of a newer format', async () => {
    const path = await used()
    writeFileSync(join(path, 'edgewise.json'), '{"format":2}')
    expect(() => disk(path)).toThrow('has format 2 of a newer edgewise, and this one knows 1: update edgewise')
  })

  it('a format that cannot be read', async () => {
    const path = await used()
    writeFileSync(join(path, 'edgewise.json'), '{')
    expect(() => disk(path)).toThrow('edgewise.json is damaged: it does not tell the format of the data')
  })

  it('data that are missing', async () => {
    const path = await used()
    rmSync(join(path, 'data.mdb'))
    expect(() => disk(path)).toThrow(`${path} is damaged: data.mdb is missing`)
  })

  it('data that are empty', async () => {
    const path = await used()
    truncateSync(join(path, 'data.mdb'))
    expect(() => disk(path)).toThrow(`${path} is damaged: data.mdb is empty`)
  })

  it('data that are something else, after which the folder can be opened again', async () => {
    const path = await used()
    const file = join(path, 'data.mdb')
    const good = readFileSync(file)
    writeFileSync(file, Buffer.alloc(good.length, 'x'))
    expect(() => disk(path)).toThrow(`${path} is damaged: data.mdb is not a file of LMDB`)
    writeFileSync(file, good)
    const store = disk(path)
    expect((await store.listTables({})).TableNames).toEqual(['kept'])
    await store.close()
  })

  it('a store that was closed', async () => {
    const store = disk(temporaryFolder())
    await store.close()
    await expect(store.getItem({ TableName: 'kept', Key: { pk: { S: 'a' } } })).rejects.toThrow('Requested resource')
    await expect(
      store.createTable({
        TableName: 'late',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    ).rejects.toThrow('is closed')
    await store.close()
  })
})
