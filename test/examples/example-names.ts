import { existsSync, readdirSync, readFileSync } from 'node:fs'

export const EXAMPLES = new URL('../../examples/', import.meta.url)

/** The folders of examples that consist of one program. The others are applications. */
export function exampleNames(): string[] {
  return readdirSync(EXAMPLES).filter(name => existsSync(new URL(`${name}/${name}.ts`, EXAMPLES)))
}

/** The program up to its rows, or the file of its graph where that has one of its own: without what it imports. */
export function declarationOf(name: string): string {
  const [own, whole] = [`${name}/graph.ts`, `${name}/${name}.ts`].map(path => new URL(path, EXAMPLES))
  const text = readFileSync(existsSync(own!) ? own! : whole!, 'utf8')
  return text
    .slice(text.search(/^(?:const|export)/m))
    .split('\nexport const rows')[0]!
    .trim()
}
