/** The reconcile story. The door of the folder. */
export * from "./bundle_keeper.ts";
export * from "./reconciler.ts";
export * from "./template_reconciler.ts";
export * from "./world.ts";
