//! Results merged into a Parquet file, with the columns that the CSV has and the type of each.

use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use serde_json::Value;

use crate::experiment::Experiment;
use crate::export::{Columns, text};
use crate::results::ResultSet;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Integer,
    Float,
    Text,
}

impl Kind {
    fn of(value: &Value) -> Self {
        match value {
            Value::Bool(_) => Self::Bool,
            Value::Number(number) if number.is_i64() => Self::Integer,
            Value::Number(_) => Self::Float,
            _ => Self::Text,
        }
    }

    /// What holds both kinds of values.
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (one, same) if one == same => one,
            (Self::Integer | Self::Float, Self::Integer | Self::Float) => Self::Float,
            _ => Self::Text,
        }
    }
}

/// A column: its name, and the value of each row that has one.
struct Column<'a> {
    name: &'a str,
    values: Vec<Option<&'a Value>>,
    kind: Kind,
}

impl<'a> Column<'a> {
    fn new(name: &'a str, values: Vec<Option<&'a Value>>) -> Self {
        let kinds = values.iter().flatten().map(|value| Kind::of(value));
        let kind = kinds.reduce(Kind::with).unwrap_or(Kind::Text);
        Self { name, values, kind }
    }

    fn schema(&self) -> Result<Type, ParquetError> {
        let (physical, logical) = match self.kind {
            Kind::Bool => (Physical::BOOLEAN, None),
            Kind::Integer => (Physical::INT64, None),
            Kind::Float => (Physical::DOUBLE, None),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        Type::primitive_type_builder(self.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
    }

    fn write(&self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        match self.kind {
            Kind::Bool => self.values_of::<BoolType>(writer, Value::as_bool),
            Kind::Integer => self.values_of::<Int64Type>(writer, Value::as_i64),
            Kind::Float => self.values_of::<DoubleType>(writer, Value::as_f64),
            Kind::Text => {
                self.values_of::<ByteArrayType>(writer, |value| Some(ByteArray::from(text(value).as_str())))
            }
        }
    }

    fn values_of<T: DataType>(
        &self,
        writer: &mut SerializedColumnWriter<'_>,
        value: impl Fn(&Value) -> Option<T::T>,
    ) -> Result<(), ParquetError> {
        let cells: Vec<Option<T::T>> = self.values.iter().map(|cell| cell.and_then(&value)).collect();
        let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
        let there: Vec<T::T> = cells.into_iter().flatten().collect();
        writer.typed::<T>().write_batch(&there, Some(&levels), None)?;
        Ok(())
    }
}

/// A Parquet file with a row for each result. Columns are those of the CSV; each is of booleans, of 64-bit integers, of
/// doubles, or of text where its values are of several kinds or lists. What a row does not have is null.
///
/// # Errors
/// The writer's.
pub fn parquet_file(experiment: &Experiment, results: &ResultSet) -> Result<Vec<u8>, ParquetError> {
    let Columns { keys, rows } = Columns::new(experiment, results);
    let column = |key: &'_ String| rows.iter().map(|row| row.get(key)).collect();
    let columns: Vec<Column<'_>> = keys.iter().map(|key| Column::new(key, column(key))).collect();
    written(&columns)
}

/// The file of some columns of equal length.
fn written(columns: &[Column<'_>]) -> Result<Vec<u8>, ParquetError> {
    let fields = columns.iter().map(|column| Ok(Arc::new(column.schema()?)));
    let fields = fields.collect::<Result<Vec<_>, ParquetError>>()?;
    let schema = Type::group_type_builder("results").with_fields(fields).build()?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for column in columns {
        let Some(mut writer) = group.next_column()? else { break };
        column.write(&mut writer)?;
        writer.close()?;
    }
    group.close()?;
    writer.into_inner()
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_column_holds_what_all_its_values_are() {
        let kind = |values: &[Value]| Column::new("x", values.iter().map(Some).collect()).kind;
        assert_eq!(kind(&[json!(true), json!(false)]), Kind::Bool);
        assert_eq!(kind(&[json!(1), json!(-2)]), Kind::Integer);
        assert_eq!(kind(&[json!(1), json!(0.5)]), Kind::Float);
        assert_eq!(kind(&[json!(u64::MAX)]), Kind::Float);
        assert_eq!(kind(&[json!(1), json!("one")]), Kind::Text);
        assert_eq!(kind(&[json!([1, 2])]), Kind::Text);
        assert_eq!(kind(&[]), Kind::Text);
    }

    #[test]
    fn values_come_back_and_what_is_missing_is_null() {
        let values = [json!(3), json!(0.5), json!("a,b"), json!([1, 2]), json!(true)];
        let columns: Vec<Column<'_>> = ["integer", "float", "text", "list", "bool"]
            .iter()
            .zip(&values)
            .map(|(name, value)| Column::new(name, vec![Some(value), None]))
            .collect();
        let file = written(&columns).expect("it can be written");
        let reader = SerializedFileReader::new(bytes::Bytes::from(file)).expect("a Parquet file");
        let rows: Vec<Vec<Field>> = reader
            .get_row_iter(None)
            .expect("rows")
            .map(|row| row.expect("a row").into_columns().into_iter().map(|(_, field)| field).collect())
            .collect();
        let text = |text: &str| Field::Str(text.to_owned());
        let first = [Field::Long(3), Field::Double(0.5), text("a,b"), text("[1,2]"), Field::Bool(true)];
        assert_eq!(rows, [first.to_vec(), vec![Field::Null; 5]]);
    }
}
