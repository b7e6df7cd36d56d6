/** `npm run social`: starts the API locally, in memory or in the folder of the variable DATA. */
import { open } from 'edgewise'
import { disk, memory } from 'edgewise/engine'
import { social } from './graph.js'
import { serveSocial } from './server.js'

const { PORT = '3000', DATA } = process.env

const store = DATA === undefined ? memory() : disk(DATA)
const g = await open(social, store)
const { url } = await serveSocial(g, Number(PORT))
console.log(`${url} answers, ${DATA === undefined ? 'in memory' : `on ${DATA}`}; Ctrl-C ends it. Try:

curl -X POST ${url}/users -d '{"handle": "ann", "email": "ann@example.com", "name": "Ann"}'
curl ${url}/users/ann`)
