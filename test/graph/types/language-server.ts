import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const DOCUMENT = { uri: pathToFileURL(join(ROOT, 'test/graph/types/editor.ts')).href }

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
}

/** The language server of the compiler with one virtual source in this folder. */
export class Editor {
  private readonly server: ChildProcess
  private readonly waiting = new Map<number, (result: unknown) => void>()
  private received = Buffer.alloc(0)
  private requests = 0

  private constructor(private readonly source: string) {
    this.server = spawn(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '--lsp', '-stdio'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    this.server.stdout!.on('data', (bytes: Buffer) => this.receive(bytes))
  }

  static async open(source: string): Promise<Editor> {
    const editor = new Editor(source)
    const rootUri = pathToFileURL(ROOT).href
    await editor.request('initialize', { processId: process.pid, rootUri, capabilities: {} })
    editor.send({ method: 'initialized', params: {} })
    editor.send({
      method: 'textDocument/didOpen',
      params: { textDocument: { ...DOCUMENT, languageId: 'typescript', version: 1, text: source } },
    })
    return editor
  }

  /** The hover text at the first character of a text. */
  async hover(text: string): Promise<string> {
    const hover = (await this.at('textDocument/hover', this.source.indexOf(text))) as {
      contents: { value: string }
    } | null
    return hover?.contents.value ?? ''
  }

  /** The completions after a text. */
  async completions(text: string): Promise<string[]> {
    const offered = await this.at('textDocument/completion', this.source.indexOf(text) + text.length)
    const { items } = offered as { items: { label: string; kind: number }[] }
    return items.map(item => item.label).sort()
  }

  close(): void {
    this.server.kill()
  }

  private at(method: string, offset: number): Promise<unknown> {
    const before = this.source.slice(0, offset).split('\n')
    return this.request(method, {
      textDocument: DOCUMENT,
      position: { line: before.length - 1, character: before.at(-1)!.length },
    })
  }

  private request(method: string, params: object): Promise<unknown> {
    const id = ++this.requests
    this.send({ id, method, params })
    return new Promise(resolve => this.waiting.set(id, resolve))
  }

  private send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.server.stdin!.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }

  private receive(bytes: Buffer): void {
    this.received = Buffer.concat([this.received, bytes])
    for (;;) {
      const head = this.received.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/i.exec(this.received.subarray(0, Math.max(head, 0)).toString())?.[1])
      if (head < 0 || this.received.length < head + 4 + length) return
      const message = JSON.parse(this.received.subarray(head + 4, head + 4 + length).toString()) as Message
      this.received = this.received.subarray(head + 4 + length)
      this.handle(message)
    }
  }

  private handle({ id, method, result }: Message): void {
    if (id === undefined) return
    // The server requests settings and registers watchers; any response is accepted.
    if (method !== undefined) this.send({ id, result: null })
    else this.waiting.get(id)?.(result)
  }
}
