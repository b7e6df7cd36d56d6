import { FAULTS } from '../../src/jobs/verify/fault.js'

const TABLE = /^\| fault \| what is wrong \|\n\|-\|-\|\n(?:\|.*\n)*/m

/** Returns the page with every fault that verification can find. */
export function withFaults(text: string): string {
  const rows = Object.entries(FAULTS).map(([code, wrong]) => `| \`${code}\` | ${wrong} |\n`)
  return text.replace(TABLE, () => `| fault | what is wrong |\n|-|-|\n${rows.join('')}`)
}
