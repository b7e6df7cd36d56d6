// Checks the subject of every commit since this check was added: `area: imperative summary`, at most 72 characters.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const SUBJECT_CHARACTERS_MAX = 72
const SUBJECT = /^[a-z][a-z0-9 ,/-]*: [a-z`'"$\d].*[^.]$/

const root = fileURLToPath(new URL('../', import.meta.url))
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** Returns the fault of a subject; undefined if it is valid. */
function fault(subject) {
  if (subject.length > SUBJECT_CHARACTERS_MAX)
    return `has ${subject.length} characters, more than ${SUBJECT_CHARACTERS_MAX}`
  return SUBJECT.test(subject) ? undefined : 'is not of the form `area: imperative summary`'
}

const added = git('log', '--diff-filter=A', '--format=%H', '--', '.ci/commits.js').split('\n').at(-1)
const subjects = added ? git('log', '--no-merges', '--format=%h %s', `${added}..HEAD`).split('\n').filter(Boolean) : []
const faults = subjects.flatMap(line => {
  const [hash, ...words] = line.split(' ')
  const found = fault(words.join(' '))
  return found ? [`commit ${hash} ${found}: ${words.join(' ')}`] : []
})
for (const line of faults) console.error(line)
console.log(`${subjects.length} commit subjects checked`)
process.exitCode = faults.length > 0 ? 1 : 0
