using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(
    name = "main",
    worker = (modules = [(name = "worker.js", esModule = embed "dist/worker.js")], compatibilityDate = "2026-11-01"),
  )],
  sockets = [(name = "http", address = "127.0.0.1:8080", http = (), service = "main")],
);
