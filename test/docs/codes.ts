import { CODES } from '../../src/schema/codes.js'

const TABLE = /^\| code \| what it means \| what to do \|\n\|-\|-\|-\|\n(?:\|.*\n)*/m
const ROW = /^\| `([\w.]+)` \| .* \| (.*) \|$/gm

/** The advice of the errors page for each code. */
export function adviceOf(text: string): Map<string, string> {
  return new Map(Array.from(TABLE.exec(text)![0].matchAll(ROW), ([, code, advice]) => [code!, advice!]))
}

/** Returns the page with the current table of codes, with its existing advice. */
export function withCodes(text: string): string {
  const advice = adviceOf(text)
  const rows = Object.entries(CODES).map(([code, means]) => `| \`${code}\` | ${means} | ${advice.get(code) ?? ''} |\n`)
  return text.replace(TABLE, () => `| code | what it means | what to do |\n|-|-|-|\n${rows.join('')}`)
}
