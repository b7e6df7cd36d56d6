// Runs a command beside a witness: `node .ci/beside.js dynamodb-local COMMAND…`, or several, with commas between.
// The command finds the address of each in DYNAMODB_LOCAL and DYNOXIDE.
import { runBeside } from './witnesses/beside.js'

const [names, command, ...given] = process.argv.slice(2)
if (command === undefined) throw new Error('give the name of a witness, and a command to run beside it')

process.exitCode = await runBeside(names.split(','), command, given)
