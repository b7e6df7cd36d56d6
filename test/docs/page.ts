/** A page whose blocks of code are one program, from its top to its bottom. */
export interface Page {
  readonly name: string
  readonly text: string
}

/** A block of code and its output, if any. */
const BLOCK = /^```ts\n(.*?)^```\n(?:\n```text\n.*?^```\n)?/gms
const FENCE = /^```(.*)$/gm
/** Printed after each block, to separate their outputs. */
const END = '\u0000'

export function programOf({ text }: Page): string {
  return Array.from(text.matchAll(BLOCK), ([, code]) => `${code}console.log('${END}')\n`).join('')
}

/** Returns the page with the output of its program. */
export function shownPage({ text }: Page, printed: readonly string[]): string {
  const left = [...printed]
  return text.replace(BLOCK, (_, code: string) => {
    const output = left
      .splice(0, left.indexOf(END) + 1)
      .slice(0, -1)
      .join('\n')
    return `\`\`\`ts\n${code}\`\`\`\n${output === '' ? '' : `\n\`\`\`text\n${output}\n\`\`\`\n`}`
  })
}

/** Blocks that are neither run nor the output of one that is: `sh` is for commands. */
export function strayBlocks({ name, text }: Page): string[] {
  const rest = text.replace(BLOCK, '')
  return Array.from(rest.matchAll(FENCE), ([, language]) => language!)
    .filter((language, i) => i % 2 === 0 && language !== 'sh')
    .map(language => `${name} has a block of '${language}'`)
}
