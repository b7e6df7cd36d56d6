import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const OPTIONS = {
  extends: join(ROOT, 'tsconfig.json'),
  compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')] },
  files: ['fixture.ts'],
}

export interface Complaint {
  readonly line: number
  readonly words: string
}

/** Compiles a source whose imports are relative to this folder and returns the errors. */
export async function complaints(source: string): Promise<Complaint[]> {
  const folder = await mkdtemp(join(tmpdir(), 'edgewise-'))
  try {
    const here = source.replaceAll("'../../../", `'${ROOT}`).replaceAll("'./", `'${join(ROOT, 'test/graph/types/')}`)
    await writeFile(join(folder, 'fixture.ts'), here)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...OPTIONS, include: [] }))
    return parse(await compile(folder))
  } finally {
    await rm(folder, { recursive: true })
  }
}

function compile(folder: string): Promise<string> {
  const binary = join(ROOT, 'node_modules/typescript/bin/tsc')
  return new Promise(resolve => {
    // The compiler exits with an error code when it reports errors.
    execFile(process.execPath, [binary, '-p', folder, '--pretty', 'false'], (_, said) => resolve(said))
  })
}

/** An error begins with a position and continues in indented lines. */
function parse(said: string): Complaint[] {
  const complaints: { line: number; words: string }[] = []
  for (const line of said.split('\n')) {
    const start = /fixture\.ts\((\d+),\d+\): error (.*)$/.exec(line)
    if (start) complaints.push({ line: Number(start[1]), words: start[2]! })
    else if (line.trim() !== '' && complaints.length > 0) complaints.at(-1)!.words += `\n${line}`
  }
  return complaints
}
