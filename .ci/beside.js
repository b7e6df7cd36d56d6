// Runs a command while a witness is running: `node .ci/beside.js dynamodb-local COMMAND…`. Commas separate several names.
// The command reads their addresses from DYNAMODB_LOCAL and DYNOXIDE.
import { runBeside } from './witnesses/beside.js'

const [names, command, ...given] = process.argv.slice(2)
if (command === undefined) throw new Error('give the name of a witness, and a command to run beside it')

process.exitCode = await runBeside(names.split(','), command, given)
