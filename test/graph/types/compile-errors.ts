import { readFile } from 'node:fs/promises'
import { complaints } from './compiler.js'

const EXPECTED = /^\s*\/\/ @ts-expect-error (.*)$/

/** Collects each mistake of a file, in the line after the comment that expects it, with the message of the compiler. */
export async function mistakes(file: URL): Promise<string> {
  const source = await readFile(file, 'utf8')
  const lines = source.split('\n')
  const found = await complaints(source.replaceAll('@ts-expect-error', ''))
  const words = lines.flatMap((line, at) => {
    const mistake = EXPECTED.exec(line)?.[1]
    if (mistake === undefined) return []
    const said = found.filter(complaint => complaint.line === at + 2).map(complaint => complaint.words)
    return `${mistake}\n  ${lines[at + 1]!.trim()}\n${said.join('\n')}\n`
  })
  return words.join('\n')
}
