import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates an empty folder that is removed after the test. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'edgewise-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
