/** What an instance says of itself: conditions, status, Events. The door of the folder. */
export * from "./events.ts";
export * from "./outcome.ts";
export * from "./status_schema.ts";
export * from "./status_writer.ts";
