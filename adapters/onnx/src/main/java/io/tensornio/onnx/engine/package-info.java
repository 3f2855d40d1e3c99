/** The engine: graphs of nodes, the table of operators, and what runs them. No user sees it. */
package io.tensornio.onnx.engine;
