import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder that is gone after the test. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'edgewise-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
