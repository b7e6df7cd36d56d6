/** What the compiler prints in place of a type: a fault cannot be given, only read. */
export interface Fault<Message extends string> {
  readonly fault: Message
}
