import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folders with the packages that these checks need, for Python and for Node. */
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

/** Runs a Python program with a text as its input and returns its output. */
export function python(program: string, input: string): string {
  const env = { ...process.env, PYTHONPATH: pythonFolder() }
  return execFileSync('python3', ['-c', program], { input, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

/**
 * Compiles and type-checks the files with the installed Node packages, and runs one of them on request. Returns its
 * output, or the compile errors.
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
