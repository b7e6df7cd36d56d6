import { FAULTS } from '../../src/jobs/verify/fault.js'

const TABLE = /^\| fault \| what is wrong \|\n\|-\|-\|\n(?:\|.*\n)*/m

/** The page with every fault that can be found in a table. */
export function withFaults(text: string): string {
  const rows = Object.entries(FAULTS).map(([code, wrong]) => `| \`${code}\` | ${wrong} |\n`)
  return text.replace(TABLE, () => `| fault | what is wrong |\n|-|-|\n${rows.join('')}`)
}
