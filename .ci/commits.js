// Checks the subject of every commit since this check was added: `area: imperative summary`, at most 72 characters.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { subjectFault } from './commit-subject.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

const added = git('log', '--diff-filter=A', '--format=%H', '--', '.ci/commits.js').split('\n').at(-1)
const subjects = added ? git('log', '--no-merges', '--format=%h %s', `${added}..HEAD`).split('\n').filter(Boolean) : []
const faults = subjects.flatMap(line => {
  const [hash, ...words] = line.split(' ')
  const found = subjectFault(words.join(' '))
  return found ? [`commit ${hash} ${found}: ${words.join(' ')}`] : []
})
for (const line of faults) console.error(line)
console.log(`${subjects.length} commit subjects checked`)
process.exitCode = faults.length > 0 ? 1 : 0
