/**
 * The log as a port: a message and a few fields in, one line out, as JSON for collectors or readable on a terminal.
 *
 * Fields are plain (texts, numbers, truth values): nobody can log an object whole, and with it a Secret, by accident. What comes from a cluster
 * may hold anything, so control characters never reach the terminal as they are, and one outcome stays one line.
 */

/** How much a line matters. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** What a line says beside its message. `undefined` is left out. */
export type LogFields = Readonly<
  Record<string, string | number | boolean | null | undefined | readonly string[]>
>;

/** The port. A message starts with a capital and has no full stop. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Where and how lines are written. */
export interface LogOptions {
  readonly format: "json" | "text";
  /** Lines below this level are not written. */
  readonly level: LogLevel;
  /** Takes one line, without its line break. */
  readonly write: (line: string) => void;
  readonly now: () => Date;
}

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** A logger that writes lines. `{"time":"...","level":"info","message":"Applied","instance":"a"}`, or `12:00:01 INFO  Applied instance=a`. */
export function lineLogger(options: LogOptions): Logger {
  const lowest = LEVELS.indexOf(options.level);
  const print = options.format === "json" ? jsonLine : textLine;
  const at = (level: LogLevel) => (message: string, fields: LogFields = {}): void => {
    if (LEVELS.indexOf(level) >= lowest) options.write(print(options.now(), level, message, fields));
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A logger that adds fields to every line; those of a line itself win. */
export function withFields(log: Logger, common: LogFields): Logger {
  return {
    debug: (message, fields) => log.debug(message, { ...common, ...fields }),
    info: (message, fields) => log.info(message, { ...common, ...fields }),
    warn: (message, fields) => log.warn(message, { ...common, ...fields }),
    error: (message, fields) => log.error(message, { ...common, ...fields }),
  };
}

function jsonLine(now: Date, level: LogLevel, message: string, fields: LogFields): string {
  const line = { time: now.toISOString(), level, message };
  return JSON.stringify({ ...line, ...fields, ...line });
}

function textLine(now: Date, level: LogLevel, message: string, fields: LogFields): string {
  const time = now.toISOString().slice(11, 19);
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${fieldText(value)}`);
  return `${time} ${level.toUpperCase().padEnd(5)} ${visible(message)}${pairs.join("")}`;
}

function fieldText(value: LogFields[string]): string {
  const text = Array.isArray(value) ? value.join(",") : String(value);
  return text === "" || /[\s"=]/.test(text) ? visible(JSON.stringify(text)) : visible(text);
}

/** Control characters (of both sets, and the line separators) as escapes. */
function visible(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === "\n") return "\\n";
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
