import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { builtCommand, Running } from './command.js'
import { projectWith } from './project.js'

const file = await builtCommand()
const page = new URL('../../docs/command-line.md', import.meta.url)
const text = readFileSync(page, 'utf8')

/** A block of commands with their output. */
const SESSION = /^```sh\n(\$ edgewise .*?)^```$/gms
const COMMAND = /^\$ edgewise (.*)$/gm
/** A word of a command line, or a quoted text. */
const WORD = /"([^"]*)"|(\S+)/g

const wordsOf = (line: string) => Array.from(line.matchAll(WORD), ([, quoted, plain]) => quoted ?? plain!)

async function session(block: string, cwd: string): Promise<string> {
  const printed = []
  for (const [line, words] of block.matchAll(COMMAND)) {
    const { code, output, errors } = await new Running(file, wordsOf(words!), {}, cwd).ended
    expect({ line, code, errors }).toEqual({ line, code: 0, errors: '' })
    printed.push(`${line}\n${output.trimEnd()}\n`)
  }
  return `\`\`\`sh\n${printed.join('\n')}\`\`\``
}

// `vitest -u` writes the current output into the page.
it('the command line page shows the actual output of its commands', async () => {
  const [, graph] = /^```ts\n(.*?)^```$/ms.exec(text)!
  const folder = projectWith({ 'graph.ts': graph! }, file)
  let written = text
  for (const [block, commands] of text.matchAll(SESSION))
    written = written.replace(block, await session(commands!, folder).then(literal))
  await expect(written).toMatchFileSnapshot(fileURLToPath(page))
})

/** Escapes `$`, which has a meaning in replacement strings. */
const literal = (block: string) => block.replaceAll('$', '$$$$')

it('the command line page has the help of every command', async () => {
  const { output } = await new Running(file, ['--help']).ended
  const commands = Array.from(output.matchAll(/^ {2}([a-z]+) {2,}/gm), ([, name]) => name!).filter(
    name => name !== 'help',
  )
  expect(commands.length).toBeGreaterThan(5)
  expect(
    commands.filter(
      name => !text.includes(`\n## edgewise ${name}\n`) || !text.includes(`$ edgewise ${name} --help\nUsage: `),
    ),
  ).toEqual([])
})
