/** YAML as `kubectl apply -f` reads it, and back. The door of the folder; sole user of js-yaml. */
export * from "./value.ts";
export { readDocuments, type YamlDocument } from "./document.ts";
export { writeYaml } from "./write.ts";
