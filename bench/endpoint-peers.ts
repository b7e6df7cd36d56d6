import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from './endpoint-process.js'

/** The cache between runs, outside of the project. */
const FOLDER = join(tmpdir(), 'edgewise-bench')

export interface Peer {
  readonly name: string
  /** Downloads the server if it is missing. Throws if that fails. */
  get(): Command
}

export const OURS = 'edgewise'
export const DYNOXIDE = 'dynoxide'

export const PEERS: readonly Peer[] = [
  {
    name: OURS,
    get: () => ({ file: process.execPath, words: port => ['dist/cli/main.js', 'serve', '--port', `${port}`] }),
  },
  {
    name: DYNOXIDE,
    get: () => ({ file: dynoxideProgram(), words: port => ['--port', `${port}`] }),
  },
  {
    name: 'DynamoDB Local',
    get: () => ({
      file: 'java',
      folder: downloaded('DynamoDBLocal', '3.3.1'),
      words: port => [
        '-Djava.library.path=.',
        '-cp',
        '*',
        'software.amazon.dynamodb.services.local.main.ServerRunner',
        '-inMemory',
        '-disableTelemetry',
        '-port',
        `${port}`,
      ],
    }),
  },
  {
    name: 'dynalite',
    get: () => {
      const file = join(installed('dynalite@4.0.0'), 'cli.js')
      return { file: process.execPath, words: port => [file, '--port', `${port}`, '--createTableMs', '0'] }
    },
  },
]

/** The current release. npm has only 1.2.1, so cargo builds it once, which takes minutes. */
const DYNOXIDE_CRATE = process.env.DYNOXIDE_CRATE ?? '3.2.0'

/** Returns the program of dynoxide: the current release from crates.io, or the one on npm without cargo. */
function dynoxideProgram(): string {
  const folder = join(FOLDER, `dynoxide-${DYNOXIDE_CRATE}`)
  const program = join(folder, 'bin', DYNOXIDE)
  if (existsSync(program)) return program
  const { error } = spawnSync('cargo', ['--version'])
  if (error) return join(installed(`@dynoxide/${process.platform}-${process.arch}`), DYNOXIDE)
  run('cargo', ['install', 'dynoxide-rs', '--version', DYNOXIDE_CRATE, '--locked', '--root', folder])
  return program
}

/** Installs an npm package in a separate folder. */
function installed(specifier: string): string {
  const name = specifier.replace(/(?<=.)@.*$/, '')
  const folder = join(FOLDER, name.replace(/\W/g, '-'))
  const found = join(folder, 'node_modules', name)
  if (!existsSync(found)) {
    mkdirSync(folder, { recursive: true })
    run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, specifier])
  }
  return found
}

/** Downloads a package of Maven Central with all dependencies, including native libraries. */
function downloaded(name: string, version: string): string {
  const folder = join(FOLDER, `${name}-${version}`)
  const jars = join(folder, 'jars')
  if (!existsSync(jars) || readdirSync(jars).length === 0) {
    mkdirSync(jars, { recursive: true })
    writeFileSync(join(folder, 'pom.xml'), project(name, version))
    run('mvn', ['-q', '-B', '-f', join(folder, 'pom.xml'), 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`])
  }
  run('java', ['-version'])
  return jars
}

/** The pinned release of the AWS SDK. The package allows any release, and some lack its dependencies. */
function project(name: string, version: string): string {
  const sdk = dependency('software.amazon.awssdk', 'bom', '2.41.0', '<type>pom</type><scope>import</scope>')
  const wanted = dependency('software.amazon.dynamodb', name, version)
  return [
    '<project><modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>peer</artifactId><version>1</version>',
    `<dependencyManagement><dependencies>${sdk}</dependencies></dependencyManagement>`,
    `<dependencies>${wanted}</dependencies></project>`,
  ].join('')
}

function dependency(group: string, name: string, version: string, more = ''): string {
  const place = `<groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version>`
  return `<dependency>${place}${more}</dependency>`
}

function run(file: string, words: string[]): void {
  execFileSync(file, words, { stdio: ['ignore', 'ignore', 'pipe'] })
}
