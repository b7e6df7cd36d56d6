import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { CACHE } from './cache.js'

const VERSION = '3.3.1'
/** The version of the AWS SDK for Java. Newer versions of some dependencies are missing in Maven's repository. */
const SDK_VERSION = '2.41.0'
const HOME = `${CACHE}dynamodb-local-${VERSION}`
const MAIN = 'software.amazon.dynamodb.services.local.main.ServerRunner'

/** AWS's DynamoDB Local, downloaded once by its coordinates. Requires Java 17 and Maven. */
export const dynamodbLocal = {
  name: 'DynamoDB Local',
  variable: 'DYNAMODB_LOCAL',
  missing: () => ['java', 'mvn'].filter(tool => spawnSync(tool, ['-version']).status !== 0),
  fetch() {
    if (!existsSync(HOME)) fetchInto(HOME)
  },
  command: port => ({
    file: 'java',
    words: ['-Djava.library.path=lib', '-cp', 'lib/*', MAIN, '-inMemory', '-disableTelemetry', '-port', `${port}`],
    folder: HOME,
  }),
}

/** Renames the download to its final name after it is complete. */
function fetchInto(place) {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(`${place}-`)
  writeFileSync(`${folder}/pom.xml`, project())
  const goal = ['--batch-mode', '--quiet', 'dependency:copy-dependencies', `-DoutputDirectory=${folder}/lib`]
  const { status } = spawnSync('mvn', goal, { cwd: folder, stdio: 'inherit' })
  if (status === 0 && !existsSync(place)) renameSync(folder, place)
  rmSync(folder, { recursive: true, force: true })
  if (status !== 0) throw new Error('Maven could not fetch DynamoDB Local')
}

function project() {
  const artifact = (group, name, version, more = '') =>
    `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version>${more}</dependency>`
  const versions = artifact('software.amazon.awssdk', 'bom', SDK_VERSION, '<type>pom</type><scope>import</scope>')
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>edgewise</groupId><artifactId>dynamodb-local</artifactId><version>1</version>
  <dependencyManagement><dependencies>${versions}</dependencies></dependencyManagement>
  <dependencies>${artifact('software.amazon.dynamodb', 'DynamoDBLocal', VERSION)}</dependencies>
</project>
`
}
