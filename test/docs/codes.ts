import { CODES } from '../../src/schema/codes.js'

const HEADER = '| code | meaning | cause | fix |\n|-|-|-|-|\n'
const TABLE = /^\| code \| meaning \| cause \| fix \|\n\|-\|-\|-\|-\|\n(?:\|.*\n)*/m
const ROW = /^\| `([\w.]+)` \| [^|]* \| ([^|]*) \| ([^|]*) \|$/gm

/** The columns of the errors page that are written by hand. */
export interface CodeAdvice {
  readonly cause: string
  readonly fix: string
}

/** The cause and the fix of the errors page for each code. */
export function adviceOf(text: string): Map<string, CodeAdvice> {
  return new Map(
    Array.from(TABLE.exec(text)![0].matchAll(ROW), ([, code, cause, fix]) => [code!, { cause: cause!, fix: fix! }]),
  )
}

/** Returns the page with the current table of codes, with its existing causes and fixes. */
export function withCodes(text: string): string {
  const advice = adviceOf(text)
  const rows = Object.entries(CODES).map(([code, meaning]) => {
    const { cause, fix } = advice.get(code) ?? { cause: '', fix: '' }
    return `| \`${code}\` | ${meaning} | ${cause} | ${fix} |\n`
  })
  return text.replace(TABLE, () => `${HEADER}${rows.join('')}`)
}
