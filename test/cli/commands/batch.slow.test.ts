import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, node, open, string, summary } from '../../../src/index.js'
import { exportTable } from '../../batch/export-files.js'
import { commands, endpoint, folderWith } from '../cinema-folder.js'

const { run } = await commands()

const SOCIAL = `
import { counter, edge, graph, node, string, summary } from 'edgewise'
import { pageRank } from 'edgewise/batch'
const user = node('user', { id: string(), followers: counter(), rank: summary() }, { id: 'id', by: { rank: { order: ['rank'] } } })
const follow = edge('follow', { follower: user, followed: user }, {}, { count: { followed: 'followers' } })
export default graph('social', [user, follow])
export const ranking = pageRank({ edge: 'follow', node: 'user', into: 'rank' })
`
const user = node(
  'user',
  { id: string(), followers: counter(), rank: summary() },
  { id: 'id', by: { rank: { order: ['rank'] } } },
)
const follow = edge('follow', { follower: user, followed: user }, {}, { count: { followed: 'followers' } })

async function filled() {
  const store = memory()
  const g = await open(graph('social', [user, follow]), store)
  for (const id of ['ann', 'bob', 'cy']) await g.user.put({ id })
  for (const follower of ['ann', 'cy']) await g.follow.put({ follower, followed: 'bob' })
  return { store, g }
}

describe('edgewise batch', { timeout: 60_000 }, () => {
  it('ranks all nodes from an export, once', async () => {
    const at = folderWith({ 'graph.ts': SOCIAL })
    const { store, g } = await filled()
    const { url } = await endpoint(store)
    await exportTable(store, 'social', at('export'), '2026-11-01T00:00:00.000Z')
    const batch = (...words: string[]) =>
      run(['batch', at('graph.ts'), 'ranking', '--from', at('export'), '--endpoint', url, ...words])
    const dry = await batch('--dry-run')
    expect(dry).toMatchObject({ code: 0, errors: '' })
    expect(dry.output).toMatch(/^pageRank\.follow would change 3 rows: 6 write units, \$0\.000004 on demand/)
    const done = JSON.parse((await batch('--json', '--write-units', '100', '--checkpoint', at('state'))).output)
    expect(done).toMatchObject({ job: 'pageRank.follow', changed: 3, written: 3, skipped: 0, ranBefore: false })
    expect((await g.user.by.rank().reverse().first())!.id).toBe('bob')
    expect((await batch()).output).toBe('pageRank.follow ran with this data before; nothing was written.\n')
  })

  it('names the existing jobs', async () => {
    const at = folderWith({ 'graph.ts': SOCIAL, 'none.ts': SOCIAL.replace(/^export const ranking.*$/m, '') })
    const { url } = await endpoint((await filled()).store)
    expect(await run(['batch', at('graph.ts'), 'rank', '--endpoint', url])).toMatchObject({
      code: 1,
      errors: expect.stringContaining("the file exports no job 'rank'; use one of ranking."),
    })
    expect((await run(['batch', at('none.ts'), 'rank', '--endpoint', url])).errors).toContain(
      'the file exports no job; add a job',
    )
  })
})

describe('edgewise verify --from', { timeout: 60_000 }, () => {
  it('writes findings that repair takes, and reads again what changed since', async () => {
    const at = folderWith({ 'graph.ts': SOCIAL })
    const { store } = await filled()
    const { url } = await endpoint(store)
    const setFollowers = (N: string) =>
      store.updateItem({
        TableName: 'social',
        Key: { PK: { S: 'user#bob' }, SK: { S: '#' } },
        UpdateExpression: 'SET followers = :f',
        ExpressionAttributeValues: { ':f': { N } },
      })
    const verify = (...words: string[]) => run(['verify', at('graph.ts'), '--from', at('export'), ...words])
    await exportTable(store, 'social', at('right'))
    const right = await run(['verify', at('graph.ts'), '--from', at('right'), '--offline'])
    expect(right).toMatchObject({ code: 0, output: 'social has no inconsistencies: 6 items read.\n' })
    await setFollowers('7')
    await exportTable(store, 'social', at('export'))
    const found = await verify('--endpoint', url, '--findings', at('found.jsonl'))
    expect(found).toMatchObject({ code: 1, errors: expect.stringContaining('edgewise repair --findings') })
    expect(found.output).toContain('counter.drift user {"id":"bob"')
    expect(JSON.parse(readFileSync(at('found.jsonl'), 'utf8'))).toMatchObject({
      code: 'counter.drift',
      name: 'followers',
    })
    const repaired = await run(['repair', at('graph.ts'), '--findings', at('found.jsonl'), '--endpoint', url])
    expect(repaired).toMatchObject({ code: 0, output: expect.stringContaining('1 repaired') })
    expect(await verify('--endpoint', url)).toMatchObject({ code: 0 })
    expect(await verify('--offline')).toMatchObject({ code: 1 })
  })

  it('refuses a file that holds no findings', async () => {
    const at = folderWith({ 'graph.ts': SOCIAL })
    writeFileSync(at('found.jsonl'), 'nothing\n')
    const { errors, code } = await run([
      'repair',
      at('graph.ts'),
      '--findings',
      at('found.jsonl'),
      '--path',
      at('data'),
    ])
    expect(code).toBe(1)
    expect(errors).toContain('found.jsonl:1: the line is not a finding')
  })
})
