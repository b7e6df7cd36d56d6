// Runs `npm publish --dry-run`, which needs neither an account nor a network. Also fails if the package is too large or
// lacks a page that README links to.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const PACKED_BYTES_MAX = 5_000_000
const root = new URL('../', import.meta.url)

// `npm run check` has already built the package. A second build would remove files that other checks read.
const { status, stdout, stderr } = spawnSync('npm', ['publish', '--dry-run', '--json', '--ignore-scripts'], {
  cwd: root,
  encoding: 'utf8',
})
if (status !== 0) {
  console.error(stderr || stdout)
  process.exit(1)
}
const answer = JSON.parse(stdout)
const { name, version, size, unpackedSize, files } = answer.files ? answer : Object.values(answer)[0]
const packed = new Set(files.map(({ path }) => path))

const failures = []
if (size > PACKED_BYTES_MAX) failures.push(`the package has ${size} bytes; keep it under ${PACKED_BYTES_MAX}`)
for (const required of ['README.md', 'LICENSE', 'CHANGELOG.md', 'dist/index.js', 'dist/index.d.ts', 'dist/cli/main.js'])
  if (!packed.has(required)) failures.push(`the package lacks ${required}; run npm run build, or correct "files"`)
const readme = readFileSync(new URL('README.md', root), 'utf8').replace(/^```.*?^```$/gms, '')
for (const [, target] of readme.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g))
  if (!target.startsWith('https:') && !packed.has(target))
    failures.push(`README.md links to ${target}, which is not in the package; add it to "files"`)

const megabytes = bytes => (bytes / 1e6).toFixed(1)
console.log(
  `${name}@${version}: ${files.length} files, ${megabytes(size)} MB packed, ${megabytes(unpackedSize)} MB unpacked`,
)
for (const failure of failures) console.log(`FAILED: ${failure}`)
process.exitCode = failures.length > 0 ? 1 : 0
