import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { builtCommand, Running } from '../command.js'
import { projectWith } from '../project.js'

const file = await builtCommand()
const run = (words: string[], cwd: string) => new Running(file, words, {}, cwd).ended
const FILES = ['.gitignore', 'graph.ts', 'main.ts', 'package.json', 'tsconfig.json']

describe('edgewise init', () => {
  it('init writes a project and states how to run it', async () => {
    const folder = projectWith({})
    expect(await run(['init', 'My Movies'], folder)).toMatchObject({
      code: 0,
      output:
        "Wrote package.json, tsconfig.json, .gitignore, graph.ts, main.ts.\n\nNext:\n  cd 'My Movies' && npm install && npm start\n",
    })
    const made = join(folder, 'My Movies')
    expect(readdirSync(made).sort()).toEqual(FILES)
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'))).toMatchObject({
      name: 'my-movies',
      dependencies: { edgewise: `^${version}` },
    })
  })

  it('init writes to the current folder by default, and prints JSON', async () => {
    const folder = projectWith({}, file)
    const { code, output } = await run(['init', '--json'], folder)
    expect(code).toBe(0)
    expect(JSON.parse(output)).toMatchObject({ files: expect.arrayContaining(FILES), next: 'npm install && npm start' })
    expect((await run(['check', 'graph.ts'], folder)).output).toContain('No findings')
    expect((await run(['items', 'graph.ts'], folder)).output).toContain('| role#Toy Story |')
    for (const name of ['graph', 'main']) {
      const { code: compiled } = await transform(readFileSync(join(folder, `${name}.ts`), 'utf8'), { loader: 'ts' })
      writeFileSync(join(folder, `${name}.js`), compiled)
    }
    const { output: printed } = await new Running(join(folder, 'main.js'), [], {}, folder).ended
    expect(printed).toContain('Chuck in Cast Away 2000\nWoody in Toy Story 1995\n')
  })

  it('init does not overwrite files, and writes nothing if one exists', async () => {
    const folder = projectWith({ 'a/main.ts': 'mine', b: 'a file' })
    expect(await run(['init', 'a'], folder)).toMatchObject({
      code: 1,
      output: '',
      errors: 'a: the folder already contains main.ts, so nothing was written; give another folder.\n',
    })
    expect(readdirSync(join(folder, 'a'))).toEqual(['main.ts'])
    expect(readFileSync(join(folder, 'a/main.ts'), 'utf8')).toBe('mine')
    expect((await run(['init', 'b'], folder)).errors).toBe('b: this is a file; give the name of a folder.\n')
    expect((await run(['init', 'b/c'], folder)).errors).toMatch(
      /^b\/c: the folder cannot be written \(.+\); give another folder\.\n$/,
    )
    expect(existsSync(join(folder, 'b/c'))).toBe(false)
  })
})
