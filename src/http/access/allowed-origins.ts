/**
 * An origin as browsers send it: scheme and host, without a path. Extensions and desktop shells have their own schemes.
 */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s,/?#@*]+$/

/** The response headers that a page may read in addition to the body. */
const EXPOSED = ['Access-Control-Expose-Headers', 'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date']

/** The web pages that may call an endpoint. */
export class AllowedOrigins {
  private readonly allowed = new Set<string>()
  private readonly allowsAll: boolean

  /** @throws {TypeError} if an entry is not an origin. */
  constructor(
    allowed: readonly string[],
    private readonly scheme: 'http' | 'https',
  ) {
    this.allowsAll = allowed.includes('*')
    for (const entry of allowed) if (entry !== '*') this.allowed.add(originOf(entry))
  }

  /**
   * Returns whether a request may be executed. Browsers send the header with every cross-origin POST, including those
   * without a preflight. The page of a sandboxed frame has the origin `null`, which only `*` allows.
   */
  allows(origin: string | undefined, host: string | undefined): boolean {
    if (origin === undefined || this.allowsAll || this.allowed.has(origin)) return true
    return origin === `${this.scheme}://${host}`
  }

  /** The headers that let a page of an allowed origin read a response. */
  headersFor(origin: string | undefined): readonly string[] {
    if (this.allowsAll) return origin === undefined ? [] : ['Access-Control-Allow-Origin', '*', ...EXPOSED]
    if (origin === undefined || !this.allowed.has(origin)) return []
    return ['Access-Control-Allow-Origin', origin, 'Vary', 'Origin', ...EXPOSED]
  }
}

/** An origin in the form in which browsers send it. */
function originOf(entry: string): string {
  const text = typeof entry === 'string' ? entry.trim().replace(/\/$/, '').toLowerCase() : ''
  if (!ORIGIN.test(text))
    throw new TypeError(
      `cors: '${entry}' is not an origin; give scheme and host, such as 'http://localhost:3000', or '*' for every page.`,
    )
  if (!/^https?:/.test(text)) return text
  const { origin } = URL.canParse(text) ? new URL(text) : { origin: text }
  return origin
}
