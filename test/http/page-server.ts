import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An attacker's site: its page runs a script, and the script reports its results. */
export interface PageServer {
  readonly port: number
  /** Resolves when the page has been sent. */
  readonly requested: Promise<void>
  readonly reported: Promise<Record<string, string>>
  close(): Promise<void>
}

/** Serves the script as a page at every path, and accepts posts to `/report` from any origin. */
export async function pageServer(script: string): Promise<PageServer> {
  let report: (outcome: Record<string, string>) => void
  const reported = new Promise<Record<string, string>>(resolve => {
    report = resolve
  })
  let request: () => void
  const requested = new Promise<void>(resolve => {
    request = resolve
  })
  const server = createServer(async (incoming, response) => {
    if (incoming.url !== '/report') {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>page</title><body><script type="module">${script}</script>`)
      if (incoming.url === '/') response.once('close', request)
      return
    }
    let body = ''
    for await (const chunk of incoming) body += chunk
    response.setHeader('access-control-allow-origin', '*')
    response.end()
    report(JSON.parse(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { port, requested, reported, close }
}
