import { afterEach, describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { type ServedStore, type ServeOptions, serve } from '../../src/http/index.js'
import { wrap } from '../../src/store/wrap.js'
import { Chromium, chromiumHere } from './chromium.js'
import { pageServer } from './page-server.js'
import { SIGNED } from './raw-requests.js'

const chromium = chromiumHere()
const MISSING = 'no Chromium is on this machine: install it, or name it by the variable CHROMIUM'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** An endpoint that counts the calls that reach its store. */
async function countingEndpoint(options: ServeOptions = {}): Promise<{ serving: ServedStore; calls: () => number }> {
  let calls = 0
  const store = wrap(memory(), (_operation, request, callOptions, next) => {
    calls++
    return next(request, callOptions)
  })
  const serving = await serve(store, { port: 0, ...options })
  cleanups.push(() => serving.close())
  return { serving, calls: () => calls }
}

/** Attempts of a page; each is the body of an async function that returns the data that it could read. */
const HEADERS = JSON.stringify({
  ...SIGNED,
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': 'DynamoDB_20120810.ListTables',
})
const listTables = `const answer = await fetch(endpoint, { method: 'POST', body: '{}', headers: ${HEADERS} }); return answer.text()`
const plainPost = `
  const answer = await fetch(endpoint, { method: 'POST', mode: 'no-cors', body: '{}' })
  return answer.type + await answer.text()`
const readPage = (path: string) => `const answer = await fetch(endpoint + '${path}'); return answer.text()`
const postForm = `
  const form = '<form method="post" enctype="text/plain" target="f" action="' + endpoint + '"><input name="{}"></form>'
  document.body.innerHTML = '<iframe name="f"></iframe>' + form
  const loaded = new Promise(done => { document.querySelector('iframe').onload = done })
  document.querySelector('form').submit()
  await Promise.race([loaded, new Promise(done => setTimeout(done, 2000))])
  return 'sent'`

/** A page finds the address of the endpoint in its own address. */
const scriptOf = (attempts: Record<string, string>, reportTo: string) => `
  const endpoint = location.hash.slice(1)
  const outcome = {}
  ${Object.entries(attempts)
    .map(
      ([name, body]) => `outcome.${name} = await (async () => { ${body} })().catch(error => 'failed: ' + error.name)`,
    )
    .join('\n')}
  await fetch('${reportTo}', { method: 'POST', mode: 'no-cors', body: JSON.stringify(outcome) })`

/**
 * Opens a page of `page.example` in the browser. Returns the results of its attempts, and the number of calls that
 * reached the store.
 */
async function triedBy(attempts: Record<string, string>, optionsFor: (origin: string) => ServeOptions) {
  const site = await pageServer(scriptOf(attempts, '/report'))
  const origin = `http://page.example:${site.port}`
  const { serving, calls } = await countingEndpoint(optionsFor(origin))
  const browser = new Chromium(chromium!, `${origin}/#${serving.url}`)
  cleanups.push(
    () => site.close(),
    () => browser.close(),
  )
  return { outcome: await site.reported, calls: calls() }
}

/**
 * Does the same for a page whose host name points to its site while it loads, then to the endpoint on the same port.
 */
async function reboundBy(options: ServeOptions) {
  const untilRebound = `
    for (let tries = 0; tries < 200; tries++) {
      const text = await fetch('/').then(answer => answer.text(), () => '')
      if (text !== '' && !text.startsWith('<!doctype')) break
      await new Promise(done => setTimeout(done, 50))
    }`
  const reports = await pageServer('')
  cleanups.push(() => reports.close())
  const attempts = { listed: `${untilRebound}; ${listTables}`, heat: readPage('heat') }
  const site = await pageServer(scriptOf(attempts, `http://127.0.0.1:${reports.port}/report`))
  const browser = new Chromium(chromium!, `http://page.example:${site.port}/#/`)
  cleanups.push(() => browser.close())
  await site.requested
  await site.close()
  const { calls } = await countingEndpoint({ port: site.port, pages: { '/heat': () => ({ secret: 1 }) }, ...options })
  return { outcome: await reports.reported, calls: calls() }
}

describe('a page in a browser', () => {
  it('a page cannot read or change an endpoint that allows no origin', async context => {
    context.skip(chromium === undefined, MISSING)
    const attempts = { listTables, plainPost, postForm, heat: readPage('/heat'), health: readPage('/') }
    const failed = 'failed: TypeError'
    expect(await triedBy(attempts, () => ({ pages: { '/heat': () => ({ secret: 1 }) } }))).toEqual({
      outcome: { listTables: failed, plainPost: 'opaque', postForm: 'sent', heat: failed, health: failed },
      calls: 0,
    })
  })

  it.for([false, true])(
    'a page can call an endpoint that allows its origin; by a star: %s',
    async (byStar, context) => {
      context.skip(chromium === undefined, MISSING)
      expect(await triedBy({ listTables }, origin => ({ cors: [byStar ? '*' : origin] }))).toEqual({
        outcome: { listTables: '{"TableNames":[]}' },
        calls: 1,
      })
    },
  )

  it('a page cannot call an endpoint that allows another origin', async context => {
    context.skip(chromium === undefined, MISSING)
    expect(await triedBy({ listTables }, () => ({ cors: ['http://other.example'] }))).toEqual({
      outcome: { listTables: 'failed: TypeError' },
      calls: 0,
    })
  })

  it('a page that points its own host name at the endpoint reads nothing, unless every host name is allowed', async context => {
    context.skip(chromium === undefined, MISSING)
    const refused = await reboundBy({})
    expect(refused.outcome.listed).toContain('AccessDeniedException')
    expect(refused.outcome.heat).toContain('AccessDeniedException')
    expect(refused.calls).toBe(0)
    const open = await reboundBy({ allowHosts: ['*'] })
    expect(open).toEqual({ outcome: { listed: '{"TableNames":[]}', heat: '{"secret":1}' }, calls: 1 })
  })
})
