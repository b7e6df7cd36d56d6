import { isIP } from 'node:net'
import { BoundedSet } from './bounded-set.js'

/** The host name of a `Host` header, in brackets for an IPv6 address. */
const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d*)?$/i

/**
 * The host names under which an endpoint answers.
 *
 * A web page can point a name of its own at 127.0.0.1 (DNS rebinding). The browser then takes the endpoint for the
 * page's own server and lets the page read everything. Only the name in the `Host` header reveals the attack.
 */
export class AllowedHosts {
  private readonly names = new Set<string>()
  private readonly suffixes: string[] = []
  private allowsAll = false
  private allowsPrivate = false
  /** Recently allowed headers, because clients repeat theirs in every request. */
  private readonly allowed = new BoundedSet(100)

  /** @throws {TypeError} if an entry is not a host name. */
  constructor(allowed: readonly string[]) {
    for (const entry of allowed) this.allow(entry)
  }

  /** Adds a name, `.example.com` for a domain with its subdomains, or `*` for every name. */
  private allow(entry: string): void {
    const name = typeof entry === 'string' ? normalizedName(entry) : ''
    if (name === '*') this.allowsAll = true
    else if (!isHostName(name))
      throw new TypeError(
        `allowHosts: '${entry}' is not a host name; give a name without scheme and port, such as 'db.example.com', '.example.com' for its subdomains too, or '*' for any.`,
      )
    else if (name.startsWith('.')) this.suffixes.push(name)
    else this.names.add(name)
  }

  /**
   * Sets the address on which the endpoint listens. Beyond loopback, containers and private networks call it by their
   * own names. Public DNS cannot serve these names, so a page of the internet cannot rebind them.
   */
  setListenAddress(host: string, address: string): void {
    if (isHostName(normalizedName(host))) this.names.add(normalizedName(host))
    this.allowsPrivate = !isLoopback(address)
  }

  /** A request without the header does not come from a browser. */
  allows(header: string | undefined): boolean {
    if (header === undefined || this.allowsAll || this.allowed.has(header)) return true
    const name = HOST.exec(header)?.[1]
    if (name === undefined || !this.allowsName(normalizedName(name))) return false
    this.allowed.add(header)
    return true
  }

  private allowsName(name: string): boolean {
    return (
      isLocalName(name) ||
      isAddress(name) ||
      this.names.has(name) ||
      this.suffixes.some(suffix => name.endsWith(suffix) || name === suffix.slice(1)) ||
      (this.allowsPrivate && isPrivateName(name))
    )
  }
}

/** Returns whether only this machine can reach an address. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\./i.test(address) || address === '::1'
}

const isLocalName = (name: string) => name === 'localhost' || name.endsWith('.localhost')

/** An address is not looked up in DNS, so nobody can redirect it. */
const isAddress = (name: string) => isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0

/** The suffixes that are reserved for private networks, among them those of Docker, Kubernetes and home routers. */
const PRIVATE_SUFFIXES = ['.internal', '.local', '.home.arpa']

const isPrivateName = (name: string) => !name.includes('.') || PRIVATE_SUFFIXES.some(suffix => name.endsWith(suffix))

const isHostName = (name: string) => /^\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)

/** Lowercases a name and removes the dot that may end a fully qualified name. */
const normalizedName = (name: string) => name.toLowerCase().replace(/(?<=.)\.$/, '')
