import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folders with what was installed for these checks: packages of Python, and of Node. */
function pythonFolder(): string {
  return folder('TABLE_PYTHON', 'pip install --target <folder> botocore cfn-lint python-hcl2')
}

function nodeFolder(): string {
  return folder('TABLE_NODE', 'npm install --prefix <folder> aws-cdk-lib constructs @cdktn/provider-aws cdktn')
}

function folder(variable: string, installed: string): string {
  const path = process.env[variable]
  if (path === undefined) throw new Error(`${variable} must name a folder made by: ${installed}`)
  return path
}

/** What a program in Python prints, given a text. */
export function python(program: string, input: string): string {
  const env = { ...process.env, PYTHONPATH: pythonFolder() }
  return execFileSync('python3', ['-c', program], { input, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

/**
 * Compiles the files, with their types checked, where they find the packages of Node, and runs one of them if asked to.
 * What it prints, or the compiler's words.
 */
export function compiled(files: Readonly<Record<string, string>>, run?: string): string {
  const place = mkdtempSync(join(nodeFolder(), 'checked-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }')
    const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
    const options = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext']
    node([compiler, ...options, ...Object.keys(files)], place)
    return run === undefined ? '' : node([run], place)
  } finally {
    rmSync(place, { recursive: true })
  }
}

function node(command: string[], cwd: string): string {
  try {
    return execFileSync(process.execPath, command, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  } catch (error) {
    throw new Error(error instanceof Error && 'stdout' in error ? `${error.message}\n${error.stdout}` : String(error))
  }
}
