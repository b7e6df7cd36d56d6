// What counts as used: the entries of the package by package.json, and the programs that nothing imports.
import { readFileSync } from 'node:fs'

const { exports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const sources = Object.values(exports)
  .filter(file => file.startsWith('./dist/'))
  .map(file => `${file.replace('./dist/', 'src/').replace(/\.js$/, '.ts')}!`)

export default {
  entry: [
    ...sources,
    'src/cli/main.ts!',
    '.ci/*.js',
    'test/**/*.test-d.ts',
    'test/derive/in-process/settle-and-exit.ts',
    'test/derive/simulator/main.ts',
    'test/derive/in-process/enroll-students.ts',
    'test/derive/in-process/run-follower.ts',
    'test/crash/announce-writes.ts',
    'test/crash/writer.ts',
    'test/fuzz/main.ts',
    'test/engine/disk/programs/fill-disk.ts',
    'test/engine/disk/programs/hold-folder.ts',
    'test/engine/disk/programs/probe-folder.ts',
    'bench/*.ts',
    'examples/print.ts',
    'examples/run.ts',
    'examples/*/*.ts',
  ],
  project: ['src/**/*.ts!', 'test/**/*.ts', 'bench/*.ts', 'examples/**/*.ts', 'tools/**/*.ts', '.ci/**/*.js'],
  ignoreBinaries: ['mvn', 'prlimit', 'strace', 'unshare'],
  ignoreExportsUsedInFile: {
    interface: true,
    type: true,
  },
  vitest: {
    config: [
      'vitest.config.ts',
      'vitest.slow.config.ts',
      'test/*/vitest.config.ts',
      'test/batch/spark/vitest.config.ts',
    ],
    entry: ['test/**/*.test.ts', 'test/**/*.long.ts'],
  },
}
