// Prepares a release: `npm run release -- 0.2.0`. Sets the version in package.json and package-lock.json, and gives the
// section [Unreleased] of CHANGELOG.md the version and the date. It does not commit or publish; CONTRIBUTING.md lists the
// next steps.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-[\w.]+)?$/
const UNRELEASED = '## [Unreleased]'

const root = pathToFileURL(`${process.cwd()}/`)
const read = path => readFileSync(new URL(path, root), 'utf8')
const write = (path, text) => writeFileSync(new URL(path, root), text)
const fail = message => {
  console.error(message)
  process.exit(1)
}

/** Whether a version comes after another. A release comes after its own pre-releases. */
function isLater(version, previous) {
  const numbers = text => VERSION.exec(text).slice(1, 4).map(Number)
  const [next, last] = [numbers(version), numbers(previous)]
  const index = next.findIndex((number, i) => number !== last[i])
  return index >= 0 ? next[index] > last[index] : previous.includes('-') && version !== previous
}

const [version] = process.argv.slice(2)
if (!VERSION.test(version ?? '')) fail(`release: '${version ?? ''}' is not a version; give one such as 0.2.0.`)
const manifest = JSON.parse(read('package.json'))
const lock = JSON.parse(read('package-lock.json'))
const changelog = read('CHANGELOG.md')
const isFirst = !/^## \[\d/m.test(changelog)
if (!(isLater(version, manifest.version) || (isFirst && version === manifest.version)))
  fail(`release: ${version} is not later than ${manifest.version}; give a later version.`)
const [, after = ''] = changelog.split(`${UNRELEASED}\n`)
if (after.split(/^## /m)[0].trim() === '') fail('release: CHANGELOG.md has no unreleased entries; add them first.')

manifest.version = version
lock.version = version
lock.packages[''].version = version
const date = new Date().toISOString().slice(0, 10)
write('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
write('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
write('CHANGELOG.md', changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${date}`))
console.log(`Prepared ${version}. Next: commit "release: publish ${version}", tag it v${version}, and push both.`)
