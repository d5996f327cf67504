//! Graph lists as Rodinia's `bfs` reads them.

use super::tokens::Tokens;
use super::{InputError, InputFile};

/// A directed graph in compressed rows, and the node that a search begins at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphList {
    /// First edge of each node, and the number of edges at the end.
    pub first: Vec<u32>,
    /// Targets of the edges.
    pub edges: Vec<u32>,
    /// Where the search begins.
    pub source: u32,
}

impl GraphList {
    /// Reads: the number of nodes; for each, its first edge and the number of its edges; the source; the
    /// number of edges; for each, its target and its cost, which a breadth-first search does not look at.
    /// Edges are listed node by node.
    ///
    /// # Errors
    /// [`InputError::Word`].
    pub fn parse(file: &InputFile) -> Result<Self, InputError> {
        let mut tokens = Tokens::new(file);
        let nodes: u32 = tokens.number("a number of nodes, 1 at least", |&n| n > 0)?;
        let mut first = vec![0_u32];
        let mut edges_before = 0_u32;
        for _ in 0..nodes {
            let expected = format!("{edges_before}, the first edge of the node");
            tokens.number::<u32>(&expected, |&n| n == edges_before)?;
            let room = u32::MAX - edges_before;
            edges_before += tokens.number::<u32>("a number of edges", |&n| n <= room)?;
            first.push(edges_before);
        }
        let node = format!("a node, 0 to {}", nodes - 1);
        let source = tokens.number::<u32>(&node, |&n| n < nodes)?;
        let expected = format!("{edges_before}, the edges of all nodes");
        tokens.number::<u32>(&expected, |&n| n == edges_before)?;
        let mut edges = Vec::new();
        for _ in 0..edges_before {
            edges.push(tokens.number::<u32>(&node, |&n| n < nodes)?);
            tokens.number::<i64>("the cost of the edge, an integer", |_| true)?;
        }
        tokens.end()?;
        Ok(Self { first, edges, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAPH: &str = "3\n0 2\n2 0\n2 1\n\n2\n\n3\n1 5\n2 9\n0 1\n";

    fn error(text: &str) -> String {
        let file = InputFile::new("g.txt", text.as_bytes());
        GraphList::parse(&file).expect_err("a fault").to_string()
    }

    #[test]
    fn a_graph_is_read() {
        let graph = GraphList::parse(&InputFile::new("g.txt", GRAPH.as_bytes())).expect("a graph");
        assert_eq!(graph, GraphList { first: vec![0, 2, 2, 3], edges: vec![1, 2, 0], source: 2 });
    }

    #[test]
    fn faults_are_shown_with_their_line() {
        let changed = |from: &str, to: &str| error(&GRAPH.replacen(from, to, 1));
        assert_eq!(
            changed("3\n0 2", "0\n0 2"),
            "g.txt:1:1: expected a number of nodes, 1 at least, found '0'"
        );
        assert_eq!(changed("2 0", "1 0"), "g.txt:3:1: expected 2, the first edge of the node, found '1'");
        assert_eq!(
            changed("2 1\n\n2", "2 4294967294\n\n2"),
            "g.txt:4:3: expected a number of edges, found '4294967294'"
        );
        assert_eq!(changed("\n2\n\n3", "\n3\n\n3"), "g.txt:6:1: expected a node, 0 to 2, found '3'");
        assert_eq!(changed("\n3\n1", "\n2\n1"), "g.txt:8:1: expected 3, the edges of all nodes, found '2'");
        assert_eq!(changed("2 9", "-2 9"), "g.txt:10:1: expected a node, 0 to 2, found '-2'");
        assert_eq!(changed("2 9", "2 x"), "g.txt:10:3: expected the cost of the edge, an integer, found 'x'");
        assert_eq!(changed("0 1\n", "0 1 7\n"), "g.txt:11:5: expected the end of the file, found '7'");
        let cut = GRAPH.split_at(GRAPH.len() - 4).0;
        assert_eq!(error(cut), "g.txt:11:1: expected a node, 0 to 2, found the end of the file");
    }

    #[test]
    fn a_file_that_promises_much_takes_no_memory() {
        assert_eq!(
            error("4294967295\n"),
            "g.txt:2:1: expected 0, the first edge of the node, found the end of the file"
        );
    }
}
