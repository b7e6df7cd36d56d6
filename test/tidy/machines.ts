import type { TextFile } from './files.js'

const TRACES: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w.~/-])\/(?:work|tmp|root|home\/\w+|Users\/\w+)\/[\w.-]/, 'a path of one machine'],
  [/\b[A-Z]:\\+Users\\/i, 'a path of one machine'],
  [/\bregistry\.(?:[\w-]+\.)+[a-z]{2,}/, 'the host of a registry'],
  [/\b(?:index\.crates\.io|files\.pythonhosted\.org|pypi\.org\/simple|repo1?\.maven)/, 'the host of a registry'],
  [/https?:\/\/(?!127\.0\.0\.1|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}/, 'the address of a machine'],
]

/** What would tie the repository to the machine that it was written on. */
export function machineTraces(file: TextFile): string[] {
  return file.text.split('\n').flatMap((line, index) => {
    const trace = TRACES.find(([pattern]) => pattern.test(line))
    return trace ? [`${file.path}:${index + 1} names ${trace[1]}`] : []
  })
}
