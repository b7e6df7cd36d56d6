import { afterEach, expect, it, vi } from 'vitest'
import { memory } from '../../src/embedded.js'
import { serve } from '../../src/http/index.js'
import { RENAMED } from './rename-result.js'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.resetModules()
  process.exitCode = undefined
})

async function run(...names: string[]): Promise<{ printed: string; complaints: string }> {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const error = vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'run.js', ...names])
  await import('../../examples/run.js')
  return { printed: log.mock.calls.join('\n'), complaints: error.mock.calls.join('\n') }
}

it('an example runs by its name', async () => {
  const { printed, complaints } = await run('courses', 'movies')
  expect(printed).toMatch(/^# Courses.*^# Movies/ms)
  expect(printed).not.toContain('# Students')
  expect(complaints).toBe('')
})

it('without a name all examples run', async () => {
  const { printed } = await run()
  expect(printed.match(/^# .*$/gm)).toHaveLength(8)
})

it('the students example runs on a local endpoint without a configured region or credentials', {
  timeout: 60_000,
}, async () => {
  const { url, close } = await serve(memory(), { port: 0 })
  vi.stubEnv('STORE', url)
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined)
  const table = vi.spyOn(console, 'table').mockReturnValue()
  try {
    await run('students')
    expect(table.mock.calls).toEqual([[RENAMED.before], [RENAMED.after]])
  } finally {
    await close()
  }
})

it('an unknown name is rejected with a list of the examples', async () => {
  const { printed, complaints } = await run('movies', 'music')
  expect(printed).toBe('')
  expect(complaints).toBe(
    "There is no example 'music': give any of invoices, school, shops, people, nightly, movies, follows, courses, students, snb, or none for all.",
  )
  expect(process.exitCode).toBe(1)
})
