import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, symlinkSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { failureText } from '../../src/cli/command-failure.js'
import { CINEMA, commands, folderWith } from './cinema-folder.js'

const { run, file } = await commands()

/** Linux simulates a full disk with this device. */
const FULL = '/dev/full'

describe('a full disk', { timeout: 60_000 }, () => {
  beforeEach(context => context.skip(!existsSync(FULL), 'only Linux has a disk that is always full'))

  it('a command fails with a message if its output goes to a full disk', () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    const full = openSync(FULL, 'w')
    const told = (...words: string[]) =>
      spawnSync(process.execPath, [file, ...words], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' })
    const failed = {
      status: 1,
      stderr:
        'standard output: the text cannot be written (ENOSPC: no space left on device, write); check the file and its disk.\n',
    }
    expect(told('table', at('graph.ts'))).toMatchObject(failed)
    expect(told('tour', 'movies', '--all')).toMatchObject(failed)
    expect(told('check', at('none.ts'))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/none\.ts: the file does not exist/),
    })
    closeSync(full)
  })

  it('a command fails with a message if a full disk accepts a part of its output', context => {
    const small = (script: string) =>
      spawnSync('unshare', ['-rm', 'bash', '-c', `mount -t tmpfs -o size=4k tmpfs "$0" && ${script}`, folder, file])
    const folder = folderWith({})('.')
    context.skip(small('true').status !== 0, 'no disk can be made that is full')
    expect(small(`"${process.execPath}" "$1" tour --json > "$0/tour.json"`).status).toBe(1)
  })

  it('a command fails with a message if it stores a file on a full disk', async () => {
    const at = folderWith({ 'graph.ts': CINEMA, 'rows.jsonl': '{"type":"movie","name":"Big","year":1988}\n' })
    expect(await run(['load', at('graph.ts'), at('rows.jsonl'), '--path', at('data')])).toMatchObject({ code: 0 })
    symlinkSync(FULL, at('rows.checkpoint.new'))
    expect(await run(['dump', at('graph.ts'), at('rows'), '--path', at('data')])).toMatchObject({
      code: 1,
      errors:
        'disk: the disk is full (ENOSPC: no space left on device, write); free some space and run the same command again.\n',
    })
  })
})

it('a store on a full disk has its own message, and other failures do not', () => {
  const failed = (code: number) => new Error('nothing was written: it failed', { cause: { code } })
  expect(failureText(failed(28))).toBe(
    'disk: the disk is full (nothing was written: it failed); free some space and run the same command again.',
  )
  expect([failureText(failed(-30_778)), failureText(failed(5)), failureText(new Error('it failed'))]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
