import { expect, it, vi } from 'vitest'
import { CommandFailure } from '../../../src/cli/command-failure.js'
import { resolveInputs } from '../../../src/cli/load/inputs.js'
import { graph, layout, node, string } from '../../../src/index.js'
import { folderWith } from '../cinema-folder.js'

// Tests may run as root, who can read every file.
vi.mock('node:fs/promises', async original => {
  const message = 'EACCES: permission denied, open'
  const open = () => Promise.reject(Object.assign(new Error(message), { code: 'EACCES' }))
  return { ...(await original<typeof import('node:fs/promises')>()), open }
})

it('load names a file without read permission', async () => {
  const cinema = layout(graph('cinema', [node('movie', { name: string() }, { id: 'name' })]))
  const rows = folderWith({ 'rows.jsonl': '{"type":"movie","name":"Big"}\n' })('rows.jsonl')
  await expect(resolveInputs(cinema, [rows], {}, undefined)).rejects.toEqual(
    new CommandFailure(
      `${rows}: the file cannot be read (EACCES: permission denied, open); check the path and its permissions.`,
    ),
  )
})
