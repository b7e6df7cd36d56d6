import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../.ci/release.js', import.meta.url))
const CHANGELOG = '# Changelog\n\n## [Unreleased]\n### Added\n- A thing.\n\n## [0.1.0] - 2026-01-01\n'
let folder: string

function release(version: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, version], { cwd: folder, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-release-'))
  writeFileSync(join(folder, 'package.json'), '{"name":"edgewise","version":"0.1.0"}')
  writeFileSync(join(folder, 'package-lock.json'), '{"version":"0.1.0","packages":{"":{"version":"0.1.0"}}}')
  writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG)
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the release script', () => {
  it('sets the version in the manifest, the lock and the changelog', () => {
    expect(release('0.2.0')).toMatchObject({ status: 0, output: expect.stringContaining('v0.2.0') })
    expect(JSON.parse(read('package.json'))).toEqual({ name: 'edgewise', version: '0.2.0' })
    expect(JSON.parse(read('package-lock.json'))).toEqual({ version: '0.2.0', packages: { '': { version: '0.2.0' } } })
    expect(read('CHANGELOG.md')).toMatch(
      /^# Changelog\n\n## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n### Added\n- A thing\.\n/,
    )
  })

  it.each(['0.1.0', '0.0.9', '0.1', 'next', ''])("rejects the version '%s' and changes no file", version => {
    expect(release(version).status).toBe(1)
    expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.1.0' })
    expect(read('CHANGELOG.md')).toBe(CHANGELOG)
  })

  it('rejects a release without an entry in the changelog', () => {
    expect(release('0.2.0').status).toBe(0)
    expect(release('0.3.0')).toEqual({ status: 1, output: expect.stringContaining('no unreleased entries') })
  })

  it('gives the first release the version that the manifest has', () => {
    writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG.split('\n## [0.1.0]')[0]!)
    expect(release('0.1.0').status).toBe(0)
  })
})
