/** What reading costs: ten documents, as one instance renders them (goal: well under 3 ms warm). */
import { readDocuments } from "./document.ts";

const DOCUMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop-dev
  labels: {app.kubernetes.io/name: shop, app.kubernetes.io/managed-by: generic-operator}
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: main
          image: registry.example.org/app:1
          args: ["--port", "8080"]
          command:
            - sh
            - -c
            - |
              set -e
              exec /app
          resources:
            requests: {cpu: 100m, memory: 128Mi}
            limits: {cpu: 500m, memory: 512Mi}
      volumes:
        - name: config
          configMap: {name: web, defaultMode: 0644}
`;
const TEN = Array(10).fill(DOCUMENT).join("---\n");

Deno.bench("read ten documents", () => {
  readDocuments(TEN);
});

Deno.bench("read ten documents and their JSON text", () => {
  for (const document of readDocuments(TEN)) document.jsonText();
});
